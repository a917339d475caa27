// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered_hadrons.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/staggered_observables.hpp"

namespace trellis::reference {
namespace {

// The signs of the papers that the header cites, from the algebra of gamma matrices.
TEST(StaggeredHadrons, SignsOfLocalMesons) {
  const auto power = [](int n) { return n % 2 == 0 ? 1.0 : -1.0; };
  for (const Site& x : {Site{0, 0, 0, 0}, Site{1, 0, 0, 0}, Site{1, 0, 1, 1}, Site{2, 1, 0, 3}, Site{1, 1, 1, 0}}) {
    const int sum = x[0] + x[1] + x[2] + x[3];
    EXPECT_EQ(spin_taste_sign(gamma5(), x), power(sum));
    EXPECT_EQ(spin_taste_sign(spin_identity(), x), 1);
    for (int mu = 0; mu < 4; ++mu) {
      EXPECT_EQ(spin_taste_sign(gamma_matrix(mu), x), power(sum - x[mu]));
      EXPECT_EQ(spin_taste_sign(gamma_matrix(mu) * gamma5(), x), power(x[mu]));
    }
  }
}

// The Ward identity, from the trace that another part of the oracle computes; G(0, x) = epsilon G(x, 0)^+.
TEST(StaggeredHadrons, WardIdentity) {
  const Site size{2, 2, 2, 4};
  const auto u = hot_configuration(size, 3);
  const auto theta = link_phases(size, {.imaginary_potential = 0.3});
  const double mass = 0.2;
  const auto g = staggered_propagator(u, theta, mass);
  const auto point = point_source(u, theta, mass);
  const auto pion = staggered_meson(size, g, g, gamma5(), {0, 0, 0});
  Complex sum = 0;
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_LT(std::abs(pion[t] - point.pion[t]), 1e-11 * point.pion[0]) << t;
    sum += pion[t];
  }
  EXPECT_LT(std::abs(mass * sum - point.propagator), 1e-11);
}

// A free quark at rest: m g(t) + (g(t+1) - g(t-1)) / 2 = delta gives g = [e^(-E t) - (-1)^t e^(-E (T-t))] / norm with
// sinh E = m. At zero momentum the nucleon is a sum over all momenta of three such quarks, with the same symmetry.
TEST(StaggeredHadrons, FreeNucleonIsAlternatinglySymmetric) {
  const Site size{4, 2, 2, 6};
  const auto g = staggered_propagator(GaugeConfiguration(size), link_phases(size, {}), 0.3);
  const auto c = staggered_nucleon(size, g, {0, 0, 0});
  for (std::size_t t = 1; t < 6; ++t)
    EXPECT_LT(std::abs(c[6 - t] + (t % 2 == 0 ? 1.0 : -1.0) * c[t]), 1e-11 * std::abs(c[0])) << t;
  EXPECT_GT(std::abs(c[1]), 1e-4 * std::abs(c[0]));
}

}  // namespace
}  // namespace trellis::reference
