// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/molecular_dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/action.hpp"
#include "reference/one_link.hpp"
#include "reference/random.hpp"
#include "reference/schwinger_dyson.hpp"

namespace trellis::reference {
namespace {

struct Symanzik {
  double beta = 4.0, c1 = symanzik_c1;
  double energy(const GaugeConfiguration& u, const Momenta& p) const {
    return kinetic_energy(p) + gauge_action(u, beta, c1);
  }
  Force force() const {
    return [*this](const GaugeConfiguration& u) { return gauge_derivative(u, beta, c1); };
  }
};

double energy_change(const Scheme& scheme, double step, int steps) {
  const Symanzik action;
  GaugeConfiguration u = warm_configuration({2, 2, 2, 2}, 1, 0.3);
  Momenta p = random_momenta(u.size, 2);
  const double before = action.energy(u, p);
  integrate(u, p, action.force(), scheme, step, steps);
  return action.energy(u, p) - before;
}

TEST(ReferenceMolecularDynamics, CoefficientsOfEachKindSumToOne) {
  for (const Scheme& scheme :
       {leapfrog_positions_first(), leapfrog_momenta_first(), minimum_norm_2(), minimum_norm_4()}) {
    double positions = 0.0, momenta = 0.0;
    for (const Update& update : scheme)
      (update.what == Update::Of::positions ? positions : momenta) += update.coefficient;
    EXPECT_NEAR(positions, 1.0, 1e-15);
    EXPECT_NEAR(momenta, 1.0, 1e-15);
  }
}

TEST(ReferenceMolecularDynamics, SecondOrderSchemes) {
  for (const Scheme& scheme : {leapfrog_positions_first(), leapfrog_momenta_first(), minimum_norm_2()})
    EXPECT_NEAR(energy_change(scheme, 0.02, 5) / energy_change(scheme, 0.01, 10), 4.0, 0.3);
}

TEST(ReferenceMolecularDynamics, FourthOrderScheme) {
  EXPECT_NEAR(energy_change(minimum_norm_4(), 0.1, 2) / energy_change(minimum_norm_4(), 0.05, 4), 16.0, 2.0);
}

TEST(ReferenceMolecularDynamics, EnergyIsConservedAsTheStepGoesToZero) {
  EXPECT_NEAR(energy_change(minimum_norm_4(), 0.01, 20), 0.0, 2e-7);
}

TEST(ReferenceMolecularDynamics, IsReversible) {
  const Symanzik action;
  GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 3);
  Momenta p = random_momenta(u.size, 4);
  const GaugeConfiguration start = u;
  integrate(u, p, action.force(), minimum_norm_2(), 0.1, 5);
  EXPECT_GT(distance(u.links[7], start.links[7]), 0.1);
  for (Matrix& h : p) h = -1.0 * h;
  integrate(u, p, action.force(), minimum_norm_2(), 0.1, 5);
  for (std::size_t i = 0; i < u.links.size(); ++i) EXPECT_LT(distance(u.links[i], start.links[i]), 1e-11);
}

TEST(ReferenceMolecularDynamics, MomentaHaveUnitVariance) {
  const Momenta p = random_momenta({4, 4, 4, 4}, 5);
  const double n = 8.0 * p.size();
  EXPECT_NEAR(kinetic_energy(p), n / 2.0, 4.0 * std::sqrt(n / 2.0));
}

TEST(ReferenceMolecularDynamics, NightlyHybridMonteCarloGivesTheStrongCouplingPlaquetteAndItsOwnBeta) {
  const Symanzik action{2.0, wilson_c1};
  GaugeConfiguration u = hot_configuration({4, 4, 4, 4}, 6);
  Random random(7);
  const int warm_up = 20, trajectories = 400;
  double sum = 0.0, creutz = 0.0;
  SchwingerDyson identity{};
  for (int n = -warm_up; n < trajectories; ++n) {
    GaugeConfiguration trial = u;
    Momenta p = random_momenta(u.size, 1000 + n);
    const double before = action.energy(u, p);
    integrate(trial, p, action.force(), minimum_norm_2(), 0.125, 8);
    const double change = action.energy(trial, p) - before;
    if (random.uniform() < std::exp(-change)) u = trial;
    if (n < 0) continue;
    sum += plaquette(u).total / trajectories;
    creutz += std::exp(-change) / trajectories;
    identity = identity + schwinger_dyson(u, wilson_c1);
  }
  // Widths: about 0.006 per configuration for the plaquette, 1 per cent for beta; the series is truncated at u + 4 u^5.
  EXPECT_NEAR(sum, strong_coupling_plaquette(action.beta), 1.5e-3);
  EXPECT_NEAR(identity.beta(), action.beta, 0.02);
  EXPECT_NEAR(creutz, 1.0, 0.05);
}

}  // namespace
}  // namespace trellis::reference
