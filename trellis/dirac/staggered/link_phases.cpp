// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/link_phases.hpp"

namespace trellis::dirac {

namespace {

// What one flux quantum in a plane adds to theta_mu(x) / pi.
double quantum_over_pi(const Coordinate& size, int plane, const Coordinate& x, int mu) {
  const auto [i, j] = flux_planes[std::size_t(plane)];
  if (mu == j) return 2.0 * x[i] / (double(size[i]) * size[j]);
  if (mu == i && x[i] == size[i] - 1) return -2.0 * x[j] / size[j];
  return 0;
}

}  // namespace

double angle_over_pi(const LinkPhases& phases, const Coordinate& size, const Coordinate& x, int mu) {
  double angle = 0;
  if (mu < 3) angle += phases.space_angles_over_pi[std::size_t(mu)] / size[mu];
  if (mu == 3) {
    angle += phases.imaginary_mu / size[3];
    if (phases.antiperiodic_time && x[3] == size[3] - 1) angle += 1;
  }
  for (int plane = 0; plane < 6; ++plane)
    if (phases.quanta[std::size_t(plane)] != 0)
      angle += double(phases.quanta[std::size_t(plane)]) * quantum_over_pi(size, plane, x, mu);
  return angle;
}

double angle_derivative(const Coordinate& size, int plane, const Coordinate& x, int mu) {
  return 3.14159265358979323846 * quantum_over_pi(size, plane, x, mu);
}

}  // namespace trellis::dirac
