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
  }
}

TEST(ReferenceAction, StaplesCountEveryLoopOncePerLink) {
  // A plaquette contributes to its 4 links, a rectangle to its 6, whatever the extents.
  for (const Site& size : {Site{2, 2, 2, 2}, Site{2, 4, 2, 4}}) {
    const GaugeConfiguration u = hot_configuration(size, 11);
    double plaquettes = 0.0, rectangles = 0.0;
    for (int i = 0; i < u.volume(); ++i)
      for (int mu = 0; mu < 4; ++mu) {
        const Site x = u.site(i);
        plaquettes += trace(u.link(x, mu) * staple(u, x, mu, 1.0, 0.0)).real() / 3.0;
        rectangles += trace(u.link(x, mu) * staple(u, x, mu, 0.0, 1.0)).real() / 3.0;
      }
    EXPECT_NEAR(plaquettes / u.volume(), 4 * 6 * plaquette(u).total, 1e-12);
    EXPECT_NEAR(rectangles / u.volume(), 6 * 12 * rectangle(u), 1e-12);
  }
}

void expect_derivative(const Site& size, double c1, double beta, std::uint64_t seed) {
  const GaugeConfiguration u = hot_configuration(size, seed);
  const GaugeFunction f = [&](const GaugeConfiguration& v) { return gauge_action(v, beta, c1); };
  for (int mu = 0; mu < 4; ++mu) {
    const Site x = u.site((7 * mu + 5) % u.volume());
    const auto exact = gauge_derivative(u, x, mu, beta, c1);
    for (int a = mu % 2; a < 8; a += 2) EXPECT_NEAR(numerical_derivative(f, u, x, mu, a), exact[a], 1e-8) << mu << a;
  }
}

TEST(ReferenceAction, WilsonDerivative) { expect_derivative({2, 2, 4, 2}, wilson_c1, 5.7, 21); }
TEST(ReferenceAction, SymanzikDerivative) { expect_derivative({4, 2, 4, 2}, symanzik_c1, 4.1, 22); }
TEST(ReferenceAction, SymanzikDerivativeWhereEveryExtentIsTwo) {
  expect_derivative({2, 2, 2, 2}, symanzik_c1, 4.1, 23);
}
TEST(ReferenceAction, IwasakiDerivativeWhereEveryExtentIsTwo) { expect_derivative({2, 2, 2, 2}, -0.331, 2.6, 24); }

TEST(ReferenceAction, DerivativeAsAMatrix) {
  // sum_a T_a dS/d omega_a = (beta/6) A / i with A the traceless antihermitian part of U V.
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 25);
  const auto d = gauge_derivative(u, 3.0, symanzik_c1);
  ASSERT_EQ(d.size(), u.links.size());
  const Site x = {1, 1, 0, 1};
  const Matrix w = u.link(x, 3) * staple(u, x, 3, 5.0 / 3.0, symanzik_c1);
  EXPECT_LT(distance(d[4 * u.index(x) + 3], Complex(0.0, -0.5) * traceless_antihermitian(w)), 1e-14);
}

TEST(ReferenceAction, DerivativeVanishesOnAColdConfiguration) {
  const GaugeConfiguration u({2, 2, 2, 4});
  for (const Matrix& m : gauge_derivative(u, 6.0, symanzik_c1)) EXPECT_EQ(norm(m), 0.0);
}

TEST(ReferenceAction, DerivativeTurnsWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 26);
  const GaugeTransformation g = random_transformation(u.size, 27);
  const auto before = gauge_derivative(u, 6.0, symanzik_c1),
             after = gauge_derivative(gauge_transform(u, g), 6.0, symanzik_c1);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_LT(distance(after[i], g[i / 4] * before[i] * adjoint(g[i / 4])), 1e-13);
}

}  // namespace
}  // namespace trellis::reference
