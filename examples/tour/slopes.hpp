// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks that a force is minus the derivative of its energy. When links move to exp(i e H) U along H = sum_a p_a T_a,
//   dS/de = -sum_a F_a p_a   over all links.
// The left-hand side is found by central differences, the right-hand side from kinetic energies, because
// K(p + F) = K(p) + K(F) + p F.

#include "examples/tour/tour.hpp"
#include "trellis/core/random.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/lattice/field.hpp"

namespace tour {

// difference(after, before) is S(after) - S(before); add_force(p) adds F to p. Prints and compares both sides.
template <int W, class Difference, class Force>
void expect_force_of(const char* what, const trellis::GaugeField<double, W>& u, const Difference& difference,
                     const Force& add_force) {
  using namespace trellis;
  const AlgebraField<double, W> p(u.lattice()), f(u.lattice());
  gauge::draw_momenta({.seed = 4, .purpose = gauge::momenta_purpose}, p);
  const auto both = p.clone();
  add_force(f);
  add_force(both);
  const double product = gauge::kinetic_energy(both) - gauge::kinetic_energy(p) - gauge::kinetic_energy(f);
  constexpr double e = 1e-4;
  const auto ahead = u.clone(), behind = u.clone();
  gauge::update_links(e, p, ahead);
  gauge::update_links(-e, p, behind);
  const double slope = difference(ahead, behind) / (2 * e);
  fmt::print("{:24} dS/de = {:13.6f}   -F p = {:13.6f}\n", what, slope, -product);
  expect_near(slope, -product, 1e-5 * std::abs(product), "the force is minus the derivative of the action");
}

}  // namespace tour
