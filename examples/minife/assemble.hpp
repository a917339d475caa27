// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From elements to the global system A u = b, in parallel, with the same bits for any number of threads.
//
// Two elements whose positions have the same parity in x, y and z share no node. So the elements of one of eight
// colours can add to the matrix at the same time without conflicts, and the colours follow one another in a fixed
// order: each entry is the sum of its at most eight terms in that order. Atomic additions would need one sweep instead
// of eight, but leave the order to chance; gathering by rows would integrate each element eight times.
//
// Then the rows of the boundary become u_i = g_i, and g moves to the right-hand side of the others: A stays symmetric
// and positive, and starting with u = g on the boundary keeps residuals there at zero.

#include "examples/minife/element.hpp"
#include "examples/minife/matrix.hpp"
#include "examples/minife/mesh.hpp"

namespace examples::minife {

namespace detail {

// Adds `terms` to row `i` in the columns `nodes`, which ascend.
template <class Matrix>
TRELLIS_INLINE void add_to_row(const Matrix& matrix, Index i, const Index (&nodes)[8], const double (&terms)[8]) {
  int k = 0;
  for (int b = 0; b < 8; ++b) {
    while (matrix.column(i, k) != nodes[b]) ++k;
    matrix.value(i, k) += terms[b];
  }
}

template <class Matrix, class Heat>
void add_colour(const Mesh& mesh, const Points& points, const Heat& heat, int colour, const Matrix& matrix,
                const Vector& load) {
  const Place first{colour & 1, colour >> 1 & 1, ((colour >> 2) + mesh.below) & 1};  // parities of the whole mesh
  const Mesh coarse{(mesh.nx - first.x + 1) / 2, (mesh.ny - first.y + 1) / 2, (mesh.nz - first.z + 1) / 2};
  trellis::parallel_for(
      "minife::assemble", coarse.elements(), TRELLIS_LAMBDA(Index at) {
        const Place c = coarse.place_of_element(at);
        const Place place{first.x + 2 * c.x, first.y + 2 * c.y, first.z + 2 * c.z};
        double corner[8][3];
        load_corners(mesh, points, place, corner);
        const ElementSystem element =
            element_system(corner, [&](double x, double y, double z) { return heat.source(x, y, z); });
        Index nodes[8];
        for (int a = 0; a < 8; ++a) nodes[a] = mesh.corner(place, a);
        for (int a = 0; a < 8; ++a) {
          add_to_row(matrix, nodes[a], nodes, element.stiffness[a]);
          load(nodes[a]) += element.load[a];
        }
      });
}

}  // namespace detail

// Adds the elements' matrices and loads. Both start from zero.
template <class Matrix, class Heat>
void assemble(const Mesh& mesh, const Points& points, const Heat& heat, const Matrix& matrix, const Vector& load) {
  for (int colour = 0; colour < 8; ++colour) detail::add_colour(mesh, points, heat, colour, matrix, load);
}

// Imposes u = heat.solution on the boundary. `u` becomes zero inside and g on the boundary: the solver's start.
template <class Matrix, class Heat>
void impose_boundary(const Mesh& mesh, const Points& points, const Heat& heat, const Matrix& matrix, const Vector& load,
                     const Vector& u) {
  trellis::parallel_for(
      "minife::boundary values", mesh.nodes(), TRELLIS_LAMBDA(Index i) {
        u(i) = mesh.on_boundary(i) ? heat.solution(points(i, 0), points(i, 1), points(i, 2)) : 0.0;
      });
  trellis::parallel_for(
      "minife::boundary", mesh.nodes(), TRELLIS_LAMBDA(Index i) {
        const bool fixed = mesh.on_boundary(i);
        bool has_diagonal = false;
        for (int k = 0; k < matrix.length(i); ++k) {
          const Index j = matrix.column(i, k);
          if (fixed) {
            matrix.value(i, k) = j == i && !has_diagonal ? 1 : 0;
            has_diagonal = has_diagonal || j == i;
          } else if (mesh.on_boundary(j)) {
            load(i) -= matrix.value(i, k) * u(j);
            matrix.value(i, k) = 0;
          }
        }
        if (fixed) load(i) = u(i);
      });
}

}  // namespace examples::minife
