// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/poisson_brackets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

// Around links of one the plaquettes are free gluons: S = beta / 12 sum F_mu_nu^2, with frequencies w^2 = beta / 6 k^2,
// k^2 = sum_mu 4 sin^2(k_mu / 2) up to 16.
TEST(PoissonBrackets, FastestModeOfFreeGluons) {
  const Lattice lattice({4, 4, 4, 4}, wide, SiteOrder::even_odd);
  const auto u = GaugeField<double, wide>::unit(lattice);
  const AlgebraField<double, wide> p(lattice);
  gauge::draw_momenta({3, 1, gauge::momenta_purpose}, p);
  const double beta = 6, most = std::sqrt(beta / 6 * 16);
  BracketMeter<double, wide> meter(make_gauge_terms<double, wide>({{"plaquette", {beta, 0}}}), lattice);
  const auto fastest = meter.fastest(u, p);
  ASSERT_EQ(fastest.size(), 1U);
  EXPECT_GT(fastest[0], 0.8 * most);
  EXPECT_LT(fastest[0], 1.001 * most);
  // Of one vector, the average is well below.
  const auto brackets = meter.measure(u, p);
  EXPECT_LT(std::sqrt(std::abs(brackets.hessian[0]) / (32.0 * double(lattice.volume()))), 0.8 * most);
}

}  // namespace
}  // namespace trellis::hmc
