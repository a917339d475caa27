// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/phase_conventions.hpp"

namespace trellis::dirac {

namespace {

double power_of_minus_one(int exponent) { return exponent % 2 == 0 ? 1.0 : -1.0; }

}  // namespace

double staggered_sign(const Coordinate& x, int mu) {
  int sum = 0;
  for (int nu = 0; nu < mu; ++nu) sum += x[std::size_t(nu)];
  return power_of_minus_one(sum);
}

// Three steps are the product of three links, whose alpha_mu does not depend on x_mu.
double milc_sign(const Coordinate& size, const Coordinate& x, int mu, int steps, bool antiperiodic_time) {
  if (mu == 3) return antiperiodic_time ? power_of_minus_one((x[3] + steps) / size[3]) : 1.0;
  int sum = x[3];
  for (int nu = 0; nu < mu; ++nu) sum += x[std::size_t(nu)];
  return power_of_minus_one(sum);
}

}  // namespace trellis::dirac
