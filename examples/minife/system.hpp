// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The whole linear system of a mesh, and the error of a solution relative to the analytic one.

#include "examples/minife/assemble.hpp"
#include "examples/minife/conjugate_gradient.hpp"
#include "examples/minife/structure.hpp"
#include "trellis/core/stopwatch.hpp"

namespace examples::minife {

template <class Matrix>
struct System {
  Points points;
  Matrix matrix;
  Vector load;
  Vector start;  // g on the boundary, zero inside
  double structure_seconds = 0, assembly_seconds = 0;
};

// The smallest det J over elements and quadrature points; not positive if elements are folded.
inline double smallest_volume(const Mesh& mesh, const Points& points) {
  double smallest = 0;
  trellis::parallel_reduce(
      "minife::volume", trellis::RangePolicy<>(0, mesh.elements()),
      TRELLIS_LAMBDA(Index e, double& least) {
        double corner[8][3];
        load_corners(mesh, points, mesh.place_of_element(e), corner);
        for (int q = 0; q < 8; ++q) {
          const double volume = shape_at(corner, q).volume;
          least = volume < least ? volume : least;
        }
      },
      smallest, trellis::Min<double>{});
  return smallest;
}

// Throws InputError if the distortion folds elements.
template <class Matrix, class Heat>
System<Matrix> make_system(const Mesh& mesh, const Heat& heat) {
  System<Matrix> system;
  system.points = make_points(mesh);
  const double volume = smallest_volume(mesh, system.points);
  if (!(volume > 0)) {
    trellis::fail_input("distortion {} folds elements: the smallest det J is {}; it must be positive", mesh.distortion,
                        volume);
  }
  trellis::timed(system.structure_seconds, [&] { system.matrix = make_structure<Matrix>(mesh); });
  system.load = Vector("load", mesh.nodes());
  system.start = Vector("start", mesh.nodes());
  trellis::timed(system.assembly_seconds, [&] {
    assemble(mesh, system.points, heat, system.matrix, system.load);
    impose_boundary(mesh, system.points, heat, system.matrix, system.load, system.start);
  });
  return system;
}

// (int (u_h - u)^2 dV)^(1/2) by the elements' quadrature: O(h^2) for trilinear elements (Aubin and Nitsche).
template <class Heat>
double solution_error(const Mesh& mesh, const Points& points, const Heat& heat, const ConstVector& u) {
  double sum = 0;
  trellis::parallel_reduce(
      "minife::error", mesh.elements(),
      TRELLIS_LAMBDA(Index e, double& partial) {
        const Place place = mesh.place_of_element(e);
        double corner[8][3];
        load_corners(mesh, points, place, corner);
        for (int q = 0; q < 8; ++q) {
          const Shape shape = shape_at(corner, q);
          double difference = -heat.solution(shape.point[0], shape.point[1], shape.point[2]);
          for (int a = 0; a < 8; ++a) difference += shape.value[a] * u(mesh.corner(place, a));
          partial += shape.volume * difference * difference;
        }
      },
      sum);
  return std::sqrt(sum);
}

}  // namespace examples::minife
