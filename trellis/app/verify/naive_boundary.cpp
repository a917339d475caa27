// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_boundary.hpp"

namespace trellis::app {
namespace {

using enum gauge::BoundaryKind;

int end_of(const gauge::Boundary& boundary, const Coordinate& size) {
  return boundary.kind == schroedinger_functional ? boundary.extent : size[3] - 1;
}

}  // namespace

bool naive_is_variable(const gauge::Boundary& boundary, const Coordinate& size, int t, int mu) {
  if (boundary.kind == open) return mu != 3 || t != size[3] - 1;
  if (boundary.kind == schroedinger_functional) return t < boundary.extent && (mu == 3 || t > 0);
  return true;
}

bool naive_is_end(const gauge::Boundary& boundary, const Coordinate& size, int t) {
  return boundary.kind != periodic && (t == 0 || t == end_of(boundary, size));
}

double naive_loop_weight(const gauge::Boundary& boundary, const Coordinate& size, int t, int steps, NaiveLoop loop) {
  const bool is_square = loop == NaiveLoop::squared_plaquette;
  if (boundary.kind == periodic) return is_square ? 0 : 1;
  if (t + steps > end_of(boundary, size)) return 0;
  const bool touches = naive_is_end(boundary, size, t) || naive_is_end(boundary, size, t + steps);
  if (boundary.kind == open) return is_square ? 0 : touches && steps == 0 ? boundary.c_g / 2 : 1;
  const bool with_mirror_image = boundary.rectangles == gauge::BoundaryRectangles::orbifold;
  if (!touches || steps != 1) return is_square ? 0 : 1;
  switch (loop) {
    case NaiveLoop::plaquette:
      return boundary.c_g;
    case NaiveLoop::rectangle:
      return with_mirror_image ? 1 : boundary.c_g_rectangles;
    case NaiveLoop::parallelogram:
      return 1;
    default:
      return with_mirror_image ? 0.5 : 0;
  }
}

NaiveSlices naive_wilson_slices(const gauge::Boundary& boundary, const Coordinate& size) {
  if (boundary.kind == periodic) return {};
  return {false, 1, end_of(boundary, size) - 1};
}

NaiveSlices naive_staggered_slices(const gauge::Boundary& boundary, const Coordinate& size) {
  if (boundary.kind == periodic) return {};
  if (boundary.kind == open) return {false, 0, size[3] - 1};
  return {false, 1, boundary.extent - 1};
}

}  // namespace trellis::app
