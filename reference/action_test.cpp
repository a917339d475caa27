// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/action.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reference/numerical_derivative.hpp"
#include "reference/read_files.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceAction, OfTheSampleConfiguration) {
  const GaugeConfiguration u = read_milc(std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l4444");
  const double p = 0.594850158947, r = 0.399122847047;
  EXPECT_NEAR(gauge_action(u, 5.5, wilson_c1), 5.5 * 256 * 6 * (1 - p), 1e-8);
  EXPECT_NEAR(gauge_action(u, 4.0, symanzik_c1), 4.0 * 256 * (10 * (1 - p) - (1 - r)), 1e-8);
}

TEST(ReferenceAction, NumberOfStaples) {
  for (int mu = 0; mu < 4; ++mu) {
    EXPECT_EQ(plaquette_staples(mu).size(), 6u);
    EXPECT_EQ(rectangle_staples(mu).size(), 18u);
    EXPECT_EQ(parallelogram_staples(mu).size(), 24u);
  }
}

TEST(ReferenceAction, StaplesCountEveryLoopOncePerLink) {
  // A plaquette contributes to its 4 links, a rectangle and a parallelogram to their 6, whatever the extents.
  for (const Site& size : {Site{2, 2, 2, 2}, Site{2, 4, 2, 4}}) {
    const GaugeConfiguration u = hot_configuration(size, 11);
    double plaquettes = 0.0, rectangles = 0.0, others = 0.0;
    for (int i = 0; i < u.volume(); ++i)
      for (int mu = 0; mu < 4; ++mu) {
        const Site x = u.site(i);
        plaquettes += trace(u.link(x, mu) * staple(u, x, mu, {1.0, 0.0, 0.0})).real() / 3.0;
        rectangles += trace(u.link(x, mu) * staple(u, x, mu, {0.0, 1.0, 0.0})).real() / 3.0;
        others += trace(u.link(x, mu) * staple(u, x, mu, {0.0, 0.0, 1.0})).real() / 3.0;
      }
    EXPECT_NEAR(plaquettes / u.volume(), 4 * 6 * plaquette(u).total, 1e-12);
    EXPECT_NEAR(rectangles / u.volume(), 6 * 12 * rectangle(u), 1e-12);
    EXPECT_NEAR(others / u.volume(), 6 * 16 * parallelogram(u), 1e-12);
  }
}

void expect_derivative(const Site& size, const LoopWeights& weights, std::uint64_t seed) {
  const GaugeConfiguration u = hot_configuration(size, seed);
  const GaugeFunction f = [&](const GaugeConfiguration& v) { return gauge_action(v, weights); };
  for (int mu = 0; mu < 4; ++mu) {
    const Site x = u.site((7 * mu + 5) % u.volume());
    const auto exact = gauge_derivative(u, x, mu, weights);
    for (int a = mu % 2; a < 8; a += 2) EXPECT_NEAR(numerical_derivative(f, u, x, mu, a), exact[a], 1e-8) << mu << a;
  }
}

TEST(ReferenceAction, WilsonDerivative) { expect_derivative({2, 2, 4, 2}, loop_weights(5.7, wilson_c1), 21); }
TEST(ReferenceAction, SymanzikDerivative) { expect_derivative({4, 2, 4, 2}, loop_weights(4.1, symanzik_c1), 22); }
TEST(ReferenceAction, SymanzikDerivativeWhereEveryExtentIsTwo) {
  expect_derivative({2, 2, 2, 2}, loop_weights(4.1, symanzik_c1), 23);
}
TEST(ReferenceAction, IwasakiDerivativeWhereEveryExtentIsTwo) {
  expect_derivative({2, 2, 2, 2}, loop_weights(2.6, -0.331), 24);
}
TEST(ReferenceAction, ParallelogramDerivative) { expect_derivative({4, 2, 4, 2}, {0.0, 0.0, 2.0}, 28); }
TEST(ReferenceAction, OneLoopSymanzikDerivative) {
  expect_derivative({2, 2, 2, 2}, one_loop_symanzik(6.0, 0.86, 4), 29);
}

TEST(ReferenceAction, OneLoopCoefficients) {
  // Without quarks and in alpha_s: 1 + 0.4805 alpha_s, and 0.03325 alpha_s (Alford et al.).
  const double u0 = 0.87, alpha = -4.0 * std::log(u0) / 3.0684;
  const LoopWeights pure = one_loop_symanzik(7.0, u0, 0);
  EXPECT_EQ(pure.plaquette, 7.0);
  EXPECT_NEAR(pure.rectangle, -7.0 / (20 * u0 * u0) * (1 + 0.4805 * alpha), 1e-4 * alpha);
  EXPECT_NEAR(pure.parallelogram, -7.0 / (u0 * u0) * 0.03325 * alpha, 1e-3 * alpha);
  // At u0 = 1 they are those of tree level, beta (P - R / 20).
  const LoopWeights tree = one_loop_symanzik(10.0, 1.0, 4), symanzik = loop_weights(6.0, symanzik_c1);
  EXPECT_NEAR(tree.plaquette, symanzik.plaquette, 1e-14);
  EXPECT_NEAR(tree.rectangle, symanzik.rectangle, 1e-14);
  EXPECT_EQ(tree.parallelogram, 0.0);
}

TEST(ReferenceAction, DerivativeAsAMatrix) {
  // sum_a T_a dS/d omega_a = (beta/6) A / i with A the traceless antihermitian part of U V.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 25);
  const auto d = gauge_derivative(u, 3.0, symanzik_c1);
  ASSERT_EQ(d.size(), u.links.size());
  const Site x = {1, 1, 0, 1};
  const Matrix w = u.link(x, 3) * staple(u, x, 3, loop_weights(1.0, symanzik_c1));
  EXPECT_LT(distance(d[4 * u.index(x) + 3], Complex(0.0, -0.5) * traceless_antihermitian(w)), 1e-14);
}

TEST(ReferenceAction, DerivativeVanishesOnAColdConfiguration) {
  const GaugeConfiguration u({2, 2, 2, 4});
  for (const Matrix& m : gauge_derivative(u, one_loop_symanzik(6.0, 0.86, 4))) EXPECT_LT(norm(m), 1e-14);
}

TEST(ReferenceAction, DerivativeTurnsWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 26);
  const GaugeTransformation g = random_transformation(u.size, 27);
  const LoopWeights weights = one_loop_symanzik(6.0, 0.86, 4);
  const auto before = gauge_derivative(u, weights), after = gauge_derivative(gauge_transform(u, g), weights);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_LT(distance(after[i], g[i / 4] * before[i] * adjoint(g[i / 4])), 1e-13);
}

}  // namespace
}  // namespace trellis::reference
