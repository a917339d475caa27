// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

using std::numbers::pi;
const QuarkPhases staggered_quark{.imaginary_potential = 0.4, .charge = 2.0, .flux = {.ex = 1, .by = -1, .bz = 1}};

ColourField times_epsilon(const Site& size, ColourField psi) {
  for (std::size_t n = 0; n < psi.size(); ++n)
    for (Complex& z : psi[n]) z *= epsilon(GaugeConfiguration(size).site(static_cast<int>(n)));
  return psi;
}

TEST(ReferenceStaggered, PlaneWavesWithoutLinks) {
  // D maps exp(ipx) to the sum of i eta_mu sin(p_mu) exp(ipx), and D^2 multiplies it by - sum sin^2 p.
  const GaugeConfiguration u({4, 2, 6, 4});
  const LinkPhases theta = link_phases(u.size, {.antiperiodic = false});
  const std::array<double, 4> p = {pi / 2, pi, 2 * pi / 3, pi / 2};
  ColourField wave = constant_field(u.size, 0.0), expected = wave;
  double squares = 0.0;
  for (int mu = 0; mu < 4; ++mu) squares += std::sin(p[mu]) * std::sin(p[mu]);
  for (int n = 0; n < u.volume(); ++n) {
    const Site x = u.site(n);
    wave[n][1] = std::polar(1.0, p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[3] * x[3]);
    for (int mu = 0; mu < 4; ++mu) expected[n][1] += Complex(0.0, eta(x, mu) * std::sin(p[mu])) * wave[n][1];
  }
  const ColourField d = apply_d(u, theta, wave);
  EXPECT_LT(norm(d - expected), 1e-13);
  EXPECT_LT(norm(apply_d(u, theta, d) + squares * wave), 1e-13);
}

TEST(ReferenceStaggered, OneHop) {
  // With a point source every term of the formula can be read off.
  const GaugeConfiguration u = hot_configuration({4, 4, 4, 4}, 1);
  const LinkPhases theta = link_phases(u.size, staggered_quark);
  const Site y = {1, 2, 1, 3};
  const ColourField d = apply_d(u, theta, point_field(u.size, y, 2));
  const std::array<double, 4> sign = {1.0, -1.0, -1.0, 1.0};  // 1, (-1)^1, (-1)^(1+2), (-1)^(1+2+1)
  for (int mu = 0; mu < 4; ++mu) {
    const int here = u.index(y), behind = u.index(shift(y, mu, -1)), ahead = u.index(shift(y, mu));
    for (int c = 0; c < 3; ++c) {
      const Complex from_behind =
          0.5 * sign[mu] * std::polar(1.0, theta[4 * behind + mu]) * u.links[4 * behind + mu](c, 2);
      const Complex from_ahead =
          -0.5 * sign[mu] * std::conj(std::polar(1.0, theta[4 * here + mu]) * u.links[4 * here + mu](2, c));
      EXPECT_LT(std::abs(d[behind][c] - from_behind), 1e-15) << mu;
      EXPECT_LT(std::abs(d[ahead][c] - from_ahead), 1e-15) << mu;
    }
  }
  EXPECT_NEAR(norm(d), std::sqrt(2.0), 1e-14);  // no other contributions: eight neighbours with 1/4 each
}

TEST(ReferenceStaggered, AntihermitianAndEpsilonHermitian) {
  const GaugeConfiguration u = hot_configuration({4, 2, 2, 4}, 2);
  const LinkPhases theta = link_phases(u.size, staggered_quark);
  const ColourField a = random_field(u.size, 3), b = random_field(u.size, 4);
  EXPECT_LT(std::abs(dot(a, apply_d(u, theta, b)) + dot(apply_d(u, theta, a), b)), 1e-12);
  EXPECT_LT(std::abs(dot(a, apply_m(u, theta, 0.3, b)) - dot(apply_m_adjoint(u, theta, 0.3, a), b)), 1e-12);
  const ColourField turned = times_epsilon(u.size, apply_m(u, theta, 0.3, times_epsilon(u.size, a)));
  EXPECT_LT(norm(turned - apply_m_adjoint(u, theta, 0.3, a)), 1e-13);
}

TEST(ReferenceStaggered, TurnsWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 4}, 5);
  const GaugeTransformation g = random_transformation(u.size, 6);
  const LinkPhases theta = link_phases(u.size, staggered_quark);
  const ColourField psi = random_field(u.size, 7);
  const ColourField before = apply_m(u, theta, 0.2, psi);
  const ColourField after = apply_m(gauge_transform(u, g), theta, 0.2, gauge_transform(psi, g));
  EXPECT_LT(norm(after - gauge_transform(before, g)), 1e-12);
}

TEST(ReferenceStaggered, TurnsWithTheGaugeOfThePhases) {
  // theta_mu(x) -> a(x) + theta_mu(x) - a(x + mu), psi -> exp(i a) psi.
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 4}, 8);
  const LinkPhases theta = link_phases(u.size, staggered_quark);
  LinkPhases turned = theta;
  ColourField psi = random_field(u.size, 9);
  ColourField expected = apply_d(u, theta, psi);
  const auto angle = [&](int n) { return 0.7 * n * n; };
  for (int n = 0; n < u.volume(); ++n) {
    for (int mu = 0; mu < 4; ++mu) turned[4 * n + mu] += angle(n) - angle(u.index(shift(u.site(n), mu)));
    for (Complex& z : psi[n]) z *= std::polar(1.0, angle(n));
    for (Complex& z : expected[n]) z *= std::polar(1.0, angle(n));
  }
  EXPECT_LT(norm(apply_d(u, turned, psi) - expected), 1e-11);
}

TEST(ReferenceStaggered, SolutionSolves) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 4}, 10);
  const LinkPhases theta = link_phases(u.size, staggered_quark);
  const ColourField b = random_field(u.size, 11);
  const ColourField x = solve_m(u, theta, 0.1, b);
  EXPECT_LT(norm(apply_m(u, theta, 0.1, x) - b), 1e-12 * norm(b));
}

TEST(ReferenceStaggered, OddExtentsAndWrongSizesAreErrors) {
  const GaugeConfiguration u({2, 2, 3, 2}), v({2, 2, 2, 2});
  EXPECT_THROW(apply_d(u, link_phases(u.size, {}), constant_field(u.size, 1.0)), InputError);
  EXPECT_THROW(apply_d(v, link_phases(u.size, {}), constant_field(v.size, 1.0)), InputError);
  EXPECT_THROW(apply_d(v, link_phases(v.size, {}), constant_field(u.size, 1.0)), InputError);
}

}  // namespace
}  // namespace trellis::reference
