// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/boundary/boundary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::gauge {

namespace {

void require_angles(const char* name, const std::array<double, 3>& angles) {
  const double sum = angles[0] + angles[1] + angles[2];
  if (!(std::abs(sum) <= 1e-12 * (1 + std::abs(angles[0]) + std::abs(angles[1]))))
    fail_input("boundary: the angles {} = {}, {}, {} add up to {}; they must add up to 0", name, angles[0], angles[1],
               angles[2], sum);
}

}  // namespace

std::string name_of(const Boundary& boundary) {
  switch (boundary.kind) {
    case BoundaryKind::open:
      return "open";
    case BoundaryKind::schroedinger_functional:
      return fmt::format("Schroedinger functional of extent {}", boundary.extent);
    default:
      return "periodic";
  }
}

void require_valid(const Boundary& boundary, const Coordinate& size) {
  if (boundary.is_periodic()) return;
  if (!(boundary.c_g > 0) || !std::isfinite(boundary.c_g))
    fail_input("boundary: c_G is {}; it must be above 0", boundary.c_g);
  if (boundary.kind != BoundaryKind::schroedinger_functional) return;
  if (!(boundary.c_g_rectangles > 0) || !std::isfinite(boundary.c_g_rectangles))
    fail_input("boundary: c_G_rectangles is {}; it must be above 0", boundary.c_g_rectangles);
  const int slices = size[3], least = boundary.extent + 1;
  if (boundary.extent < 2 || slices != least + least % 2)
    fail_input(
        "boundary: a Schroedinger functional of extent {} needs at least 2, and {} time slices; the lattice has "
        "{}",
        boundary.extent, least + least % 2, slices);
  require_angles("phi", boundary.phi);
  require_angles("phi'", boundary.phi_prime);
}

}  // namespace trellis::gauge
