// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_coefficients.hpp"

#include "trellis/core/phase.hpp"

namespace trellis::dirac {

namespace {

double staggered_sign(const Coordinate& x, int mu) {
  int sum = 0;
  for (int nu = 0; nu < mu; ++nu) sum += x[nu];
  return sum % 2 == 0 ? 1 : -1;
}

// eta_mu(x) u / 2 of the link that a hop follows: u = u_mu(x), or conj(u_mu(x - mu)) backwards.
std::complex<double> half_link(const LinkPhases& phases, const Coordinate& size, const Coordinate& x, int step) {
  const int mu = step % 4;
  Coordinate from = x;
  if (step >= 4) from[mu] = (from[mu] + size[mu] - 1) % size[mu];
  const std::complex<double> u = phase_of(angle_over_pi(phases, size, from, mu));
  return 0.5 * staggered_sign(x, mu) * (step < 4 ? u : std::conj(u));
}

}  // namespace

HopCoefficient staggered_coefficient(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int step) { return (step < 4 ? 1.0 : -1.0) * half_link(phases, size, x, step); };
}

HopCoefficient chemical_potential_derivative(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int step) { return step % 4 == 3 ? half_link(phases, size, x, step) : 0.0; };
}

HopCoefficient chemical_potential_second_derivative(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int step) {
    return step % 4 == 3 ? (step < 4 ? 1.0 : -1.0) * half_link(phases, size, x, step) : 0.0;
  };
}

HopCoefficient symmetric_shift(const LinkPhases& phases, int direction, const Coordinate& size) {
  return [=](const Coordinate& x, int step) {
    return step % 4 == direction ? staggered_sign(x, direction) * half_link(phases, size, x, step) : 0.0;
  };
}

HopCoefficient flux_derivative(const LinkPhases& phases, int plane, const Coordinate& size) {
  // d/dn exp(i theta) = i theta' exp(i theta); backwards, both D and the angle change sign.
  return [=](const Coordinate& x, int step) {
    const int mu = step % 4;
    Coordinate from = x;
    if (step >= 4) from[mu] = (from[mu] + size[mu] - 1) % size[mu];
    return std::complex<double>(0, angle_derivative(size, plane, from, mu)) * half_link(phases, size, x, step);
  };
}

}  // namespace trellis::dirac
