// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh of nx x ny x nz hexahedra in the unit cube, and the positions of its nodes.
//
// Nodes are numbered with x fastest, z slowest: node (x, y, z) is x + (nx+1) (y + (ny+1) z), elements likewise, so a
// slab of z planes is one range of matrix rows. The corners of an element have numbers 0 to 7, whose bits 0, 1, 2 give
// x, y, z; their nodes ascend. The nodes of a regular grid xi are displaced smoothly,
//   x = xi + d sin(pi xi) cos(pi eta) cos(pi zeta),   y, z by exchange of the names,
// which keeps each face of the cube in its plane but leaves no element a parallelepiped. Smoothness preserves the order
// of the method; d < 1/pi keeps the map one to one.
// A mesh may be some layers of elements of a larger one, the part of a rank (slab.hpp): nodes are numbered within the
// part, and have the positions and boundary of the whole.

#include <cmath>
#include <numbers>

#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace examples::minife {

using trellis::Index;

struct Place {
  Index x, y, z;
};

struct Mesh {
  Index nx, ny, nz;  // elements in each direction
  double distortion = 0;
  Index below = 0;     // layers of the whole mesh below this part
  Index whole_nz = 0;  // layers of the whole mesh; 0: these are all

  TRELLIS_FUNCTION Index nodes() const { return (nx + 1) * (ny + 1) * (nz + 1); }
  TRELLIS_FUNCTION Index elements() const { return nx * ny * nz; }
  TRELLIS_FUNCTION Index node(const Place& p) const { return p.x + (nx + 1) * (p.y + (ny + 1) * p.z); }
  TRELLIS_FUNCTION Place place_of_node(Index node) const {
    return {node % (nx + 1), node / (nx + 1) % (ny + 1), node / ((nx + 1) * (ny + 1))};
  }
  TRELLIS_FUNCTION Place place_of_element(Index element) const {
    return {element % nx, element / nx % ny, element / (nx * ny)};
  }
  TRELLIS_FUNCTION Index all_nz() const { return whole_nz == 0 ? nz : whole_nz; }
  TRELLIS_FUNCTION Index plane() const { return (nx + 1) * (ny + 1); }  // nodes in it
  TRELLIS_FUNCTION bool on_boundary(Index node) const {
    const Place p = place_of_node(node);
    const Index z = p.z + below;
    return p.x == 0 || p.x == nx || p.y == 0 || p.y == ny || z == 0 || z == all_nz();
  }
  TRELLIS_FUNCTION Index corner(const Place& element, int number) const {
    return node({element.x + (number & 1), element.y + (number >> 1 & 1), element.z + (number >> 2)});
  }
};

using Points = trellis::View<double* [3]>;

// The positions of the nodes.
inline Points make_points(const Mesh& mesh) {
  const Points points(trellis::uninitialized, "points", mesh.nodes());
  trellis::parallel_for(
      "minife::points", mesh.nodes(), TRELLIS_LAMBDA(Index i) {
        constexpr double pi = std::numbers::pi;
        const Place p = mesh.place_of_node(i);
        const double xi[3] = {double(p.x) / double(mesh.nx), double(p.y) / double(mesh.ny),
                              double(p.z + mesh.below) / double(mesh.all_nz())};
        for (int d = 0; d < 3; ++d) {
          // sin(pi) is not zero in double precision; the faces must stay in place.
          const bool on_face = xi[d] == 0 || xi[d] == 1;
          const double move = on_face ? 0.0
                                      : mesh.distortion * std::sin(pi * xi[d]) * std::cos(pi * xi[(d + 1) % 3]) *
                                            std::cos(pi * xi[(d + 2) % 3]);
          points(i, d) = xi[d] + move;
        }
      });
  return points;
}

TRELLIS_FUNCTION inline void load_corners(const Mesh& mesh, const Points& points, const Place& element,
                                          double (&corner)[8][3]) {
  for (int a = 0; a < 8; ++a) {
    const Index node = mesh.corner(element, a);
    for (int d = 0; d < 3; ++d) corner[a][d] = points(node, d);
  }
}

}  // namespace examples::minife
