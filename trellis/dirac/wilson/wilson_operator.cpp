// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/wilson_operator.hpp"

namespace trellis::dirac {

namespace {

void require_between(double value, double least, double most, const char* name) {
  if (!(value >= least && value <= most))
    fail_input("Wilson operator: {} is {}; it must be from {} to {}", name, value, least, most);
}

}  // namespace

void require_valid(const WilsonParameters& p) {
  if (!(p.kappa > 0 && p.kappa <= 1))
    fail_input("Wilson operator: kappa is {}; it must be above 0 and at most 1", p.kappa);
  require_between(p.clover, 0, 10, "clover");
  require_between(p.clover_temporal, 0, 10, "clover_temporal");
  if (!(p.spatial_hopping > 0 && p.spatial_hopping <= 10))
    fail_input("Wilson operator: spatial_hopping is {}; it must be above 0 and at most 10", p.spatial_hopping);
  for (const double angle : p.boundary_angle_over_pi) require_between(angle, -2, 2, "a boundary angle over pi");
  require_between(p.c_f, 0, 100, "c_F");
  if (p.boundary.is_periodic() && p.c_f != 1)
    fail_input("Wilson operator: c_F is {}, but the lattice is periodic in time; it must be 1 there", p.c_f);
}

}  // namespace trellis::dirac
