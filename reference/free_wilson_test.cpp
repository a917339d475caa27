// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/free_wilson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

double squared_norm(const DenseMatrix& a) { return std::pow(distance(a, DenseMatrix(a.n)), 2); }

std::vector<double> pion(const Site& size, const Propagator& s) {
  std::vector<double> c(size[3]);
  for (std::size_t n = 0; n < s.size(); ++n)
    c[GaugeConfiguration(size).site(static_cast<int>(n))[3]] += squared_norm(s[n]);
  return c;
}

TEST(ReferenceFreeWilson, IsTheInverse) {
  for (const WilsonQuark& quark :
       {WilsonQuark{.kappa = 0.12},
        WilsonQuark{
            .kappa = 0.1, .clover = 1.5, .spatial_hopping = 1.2, .boundary_angle_over_pi = {0.3, -0.5, 1.0, 0.25}}}) {
    const Site size = {2, 4, 3, 4};
    const WilsonMatrix m(GaugeConfiguration(size), quark);
    const Propagator s = free_propagator(size, quark);
    for (const int component : {0, 4, 8, 11})
      EXPECT_LT(norm(apply_m(m, column(s, component)) - point_spinors(size, {0, 0, 0, 0}, component)), 1e-13);
    EXPECT_LT(norm(solve_m(m, point_spinors(size, {0, 0, 0, 0}, 7)) - column(s, 7)), 1e-12);
  }
}

TEST(ReferenceFreeWilson, Pions) {
  // Ten digits from another program, for S = 2 kappa M^-1, which is (D_w + m)^-1: (2 kappa)^2 times tr M^-1 (M^-1)^+.
  const double eleven[] = {0.6957669089, 0.03756065405, 0.008393330437, 0.003344679174, 0.002301706918};
  const double twelve[] = {0.8289214409, 0.0688774558, 0.0320695681, 0.02559682398, 0.02415883499};
  const Site size = {4, 4, 4, 8};
  const std::vector<double> a = pion(size, free_propagator(size, {.kappa = 0.11}));
  const std::vector<double> b = pion(size, free_propagator(size, {.kappa = 0.12}));
  for (int t = 0; t <= 4; ++t) {
    EXPECT_NEAR(0.22 * 0.22 * a[t], eleven[t], 1e-9 * eleven[t]) << t;
    EXPECT_NEAR(0.24 * 0.24 * b[t], twelve[t], 1e-9 * twelve[t]) << t;
    EXPECT_NEAR(a[t], a[(8 - t) % 8], 1e-14);
  }
}

TEST(ReferenceFreeWilson, SumOfThePion) {
  // (1/V) sum_p tr S(p) S(p)^+ = (12/V) sum_p 1 / (w^2 + 4 kappa^2 sum_mu s_mu^2 sin^2 p_mu)
  const Site size = {2, 3, 4, 5};
  const WilsonQuark quark{.kappa = 0.09, .spatial_hopping = 1.4, .boundary_angle_over_pi = {0.5, 0.2, -1.0, 0.1}};
  double expected = 0.0, sum = 0.0;
  for (int n = 0; n < 120; ++n) {
    const Site x = GaugeConfiguration(size).site(n);
    double w = 1.0, squares = 0.0;
    for (int mu = 0; mu < 4; ++mu) {
      const double p = std::numbers::pi * (2 * x[mu] + quark.boundary_angle_over_pi[mu]) / size[mu];
      const double h = 0.18 * (mu == 3 ? 1.0 : 1.4);
      w -= h * std::cos(p);
      squares += std::pow(h * std::sin(p), 2);
    }
    expected += 12.0 / (w * w + squares) / 120;
  }
  for (const double c : pion(size, free_propagator(size, quark))) sum += c;
  EXPECT_NEAR(sum, expected, 1e-12 * expected);
}

TEST(ReferenceFreeWilson, AZeroModeIsAnError) {
  EXPECT_THROW(free_propagator({2, 2, 2, 2}, {.kappa = 0.125, .boundary_angle_over_pi = {}}), Error);
}

}  // namespace
}  // namespace trellis::reference
