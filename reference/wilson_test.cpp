// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/clover.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

using std::numbers::pi;
const Complex i(0.0, 1.0);
const Site uneven = {2, 4, 6, 8};
const WilsonQuark clover_quark{.kappa = 0.13,
                               .clover = 1.3,
                               .clover_temporal = 0.9,
                               .spatial_hopping = 0.7,
                               .boundary_angle_over_pi = {0.3, -0.5, 1.0, 0.8}};

TEST(ReferenceWilson, OneHop) {
  // With a point source every term of the formula can be read off.
  const GaugeConfiguration u = hot_configuration({4, 4, 4, 4}, 1);
  const Site y = {0, 3, 1, 3};
  const int spin = 2, colour = 1;
  const SpinorField d = apply_d({u, clover_quark}, point_spinors(u.size, y, 3 * spin + colour));
  const Complex first[] = {std::polar(1.0, 0.3 * pi), 1.0, 1.0, 1.0};                          // on the link into y
  const Complex second[] = {1.0, std::polar(1.0, -0.5 * pi), 1.0, std::polar(1.0, 0.8 * pi)};  // out of y
  double sum = 0.0;
  for (int mu = 0; mu < 4; ++mu) {
    const double s = mu == 3 ? 1.0 : 0.7;
    const int behind = u.index(shift(y, mu, -1)), ahead = u.index(shift(y, mu));
    for (int a = 0; a < 4; ++a)
      for (int c = 0; c < 3; ++c) {
        const double one = a == spin ? 1.0 : 0.0;
        const Complex minus = one - gamma_matrix(mu)(a, spin), plus = one + gamma_matrix(mu)(a, spin);
        const Complex to_behind = s * minus * first[mu] * u.links[4 * behind + mu](c, colour);
        const Complex to_ahead = s * plus * std::conj(second[mu] * u.link(y, mu)(colour, c));
        EXPECT_LT(std::abs(d[behind][3 * a + c] - to_behind), 1e-15) << mu;
        EXPECT_LT(std::abs(d[ahead][3 * a + c] - to_ahead), 1e-15) << mu;
        sum += std::norm(to_behind) + std::norm(to_ahead);
      }
  }
  EXPECT_NEAR(norm(d), std::sqrt(sum), 1e-14);  // and nothing elsewhere
}

TEST(ReferenceWilson, PlaneWavesOnConstantLinks) {
  // U_mu = diag(exp(i a_mu^c)): M = 1 + 2 kappa sum_mu s_mu [i gamma_mu sin(p_mu + a_mu^c) - cos(p_mu + a_mu^c)].
  GaugeConfiguration u(uneven);
  const double angle[4][3] = {{0.2, 0.5, -0.7}, {-1.1, 0.3, 0.8}, {0.0, 2.0, -2.0}, {0.4, 0.4, -0.8}};
  std::array<double, 4> p;
  for (int mu = 0; mu < 4; ++mu)
    p[mu] = (2.0 * pi * (mu + 1) + pi * clover_quark.boundary_angle_over_pi[mu]) / u.size[mu];
  const Spinor chi = random_spinors({1, 1, 1, 1}, 2)[0];
  SpinorField wave = zero_spinors(u.size), expected = wave;
  for (int n = 0; n < u.volume(); ++n) {
    const Site x = u.site(n);
    for (int mu = 0; mu < 4; ++mu)
      for (int c = 0; c < 3; ++c) u.links[4 * n + mu](c, c) = std::polar(1.0, angle[mu][c]);
    wave[n] = std::polar(1.0, p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[3] * x[3]) * chi;
    for (int c = 0; c < 3; ++c) {
      SpinMatrix m = spin_identity();
      for (int mu = 0; mu < 4; ++mu) {
        const double q = p[mu] + angle[mu][c], s = mu == 3 ? 1.0 : 0.7;
        m = m + 2.0 * clover_quark.kappa * s *
                    (i * std::sin(q) * gamma_matrix(mu) - Complex(std::cos(q)) * spin_identity());
      }
      const Spinor image = m * wave[n];
      for (int a = 0; a < 4; ++a) expected[n][3 * a + c] = image[3 * a + c];
    }
  }
  EXPECT_LT(norm(apply_m({u, clover_quark}, wave) - expected), 1e-12);
}

TEST(ReferenceWilson, AdjointAndGamma5) {
  const GaugeConfiguration u = hot_configuration(uneven, 3);
  const WilsonMatrix m(u, clover_quark);
  const SpinorField a = random_spinors(u.size, 4), b = random_spinors(u.size, 5);
  EXPECT_LT(std::abs(dot(a, apply_d(m, b)) - dot(apply_d_adjoint(m, a), b)), 1e-10);
  EXPECT_LT(std::abs(dot(a, apply_m(m, b)) - dot(apply_m_adjoint(m, a), b)), 1e-10);
  EXPECT_LT(std::abs(dot(a, apply_mhat(m, b)) - dot(apply_mhat_adjoint(m, a), b)), 1e-10);
  EXPECT_LT(norm(gamma5() * apply_d(m, gamma5() * a) - apply_d_adjoint(m, a)), 1e-12);
  EXPECT_LT(norm(gamma5() * apply_m(m, gamma5() * a) - apply_m_adjoint(m, a)), 1e-12);
  EXPECT_LT(norm(gamma5() * apply_mhat(m, gamma5() * a) - apply_mhat_adjoint(m, a)), 1e-12);
  EXPECT_GT(norm(apply_d(m, a) - apply_d_adjoint(m, a)), 1.0);
}

TEST(ReferenceWilson, TurnsWithTheGauge) {
  const GaugeConfiguration u = hot_configuration(uneven, 6);
  const GaugeTransformation g = random_transformation(u.size, 7);
  const WilsonMatrix before(u, clover_quark), after(gauge_transform(u, g), clover_quark);
  const SpinorField psi = random_spinors(u.size, 8), turned = gauge_transform(psi, g);
  EXPECT_LT(norm(apply_m(after, turned) - gauge_transform(apply_m(before, psi), g)), 1e-11);
  EXPECT_LT(norm(apply_mhat(after, turned) - gauge_transform(apply_mhat(before, psi), g)), 1e-11);
}

TEST(ReferenceWilson, BoundaryPhasesMayBeSpreadOverAllLinks) {
  // exp(i pi theta / L) on every link of a direction is equivalent, by psi -> exp(i pi theta x / L) psi.
  const GaugeConfiguration u = hot_configuration(uneven, 9);
  GaugeConfiguration spread = u;
  WilsonQuark plain = clover_quark;
  plain.boundary_angle_over_pi = {0.0, 0.0, 0.0, 0.0};
  const SpinorField psi = random_spinors(u.size, 10);
  SpinorField turned = psi, expected = apply_m({u, clover_quark}, psi);
  for (int n = 0; n < u.volume(); ++n) {
    double angle = 0.0;
    for (int mu = 0; mu < 4; ++mu) {
      const double a_link = pi * clover_quark.boundary_angle_over_pi[mu] / u.size[mu];
      angle -= a_link * u.site(n)[mu];
      spread.links[4 * n + mu] = std::polar(1.0, a_link) * u.links[4 * n + mu];
    }
    turned[n] = std::polar(1.0, angle) * psi[n];
    expected[n] = std::polar(1.0, angle) * expected[n];
  }
  EXPECT_LT(norm(apply_m({spread, plain}, turned) - expected), 1e-11);
}

TEST(ReferenceWilson, CloverMatrixIsHermitianChiralAndHasTheFieldStrength) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 4}, 11);
  const Site x = {1, 3, 0, 2};
  const DenseMatrix a = clover_matrix(u, clover_quark, x);
  EXPECT_LT(distance(a, adjoint(a)), 1e-15);
  for (int row = 0; row < 6; ++row)
    for (int column = 6; column < 12; ++column) EXPECT_EQ(a(row, column), 0.0);
  // Its component along sigma_{mu nu} is i kappa c F, and F is i times the field strength of clover.hpp, up to the
  // trace.
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      Matrix part_along{};
      for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
          part_along(row % 3, column % 3) += sigma(mu, nu)(column / 3, row / 3) * a(row, column);
      const double c = nu == 3 ? 0.9 : 1.3;
      const Matrix f = Complex(1.0) / (4.0 * i * 0.13 * c) * part_along;
      EXPECT_LT(distance(f, clover_field_strength(u, x, mu, nu)), 1e-14);
      EXPECT_LT(distance(f - trace(f) / 3.0 * identity(), i * field_strength(u, x, mu, nu)), 1e-14);
      EXPECT_GT(std::abs(trace(f)), 1e-3);
      EXPECT_LT(distance(f, Complex(-1.0) * adjoint(f)), 1e-14);
    }
}

TEST(ReferenceWilson, CloverMatrixOfAConstantField) {
  // Plaquettes of the plane (x, t) all diag(e, e, e^-2) with e = exp(i f), f = 2 pi / (L_x L_t).
  GaugeConfiguration u({4, 2, 2, 6});
  const double f = 2.0 * pi / (4 * 6);
  const double charge[3] = {1.0, 1.0, -2.0};
  for (int n = 0; n < u.volume(); ++n) {
    const Site x = u.site(n);
    for (int c = 0; c < 3; ++c) {
      u.links[4 * n + 3](c, c) = std::polar(1.0, charge[c] * f * x[0]);
      if (x[0] == 3) u.links[4 * n](c, c) = std::polar(1.0, -charge[c] * f * 4 * x[3]);
    }
  }
  for (const Site& x : {Site{0, 0, 0, 0}, Site{3, 1, 0, 5}, Site{2, 1, 1, 3}}) {
    const DenseMatrix a = clover_matrix(u, clover_quark, x);
    for (int row = 0; row < 12; ++row)
      for (int column = 0; column < 12; ++column) {
        Complex expected = row == column ? 1.0 : 0.0;
        if (row % 3 == column % 3)
          expected -= 0.13 * 0.9 * std::sin(charge[row % 3] * f) * sigma(0, 3)(row / 3, column / 3);
        EXPECT_LT(std::abs(a(row, column) - expected), 1e-14) << row << " " << column;
      }
  }
}

TEST(ReferenceWilson, EvenAndOdd) {
  const GaugeConfiguration u = hot_configuration({4, 2, 2, 4}, 12);
  const WilsonMatrix m(u, clover_quark);
  const SpinorField x = random_spinors(u.size, 13), b = apply_m(m, x);
  const SpinorField x_even = part(u.size, x, SiteParity::even);
  EXPECT_LT(norm(x_even + part(u.size, x, SiteParity::odd) - x), 1e-15);
  EXPECT_LT(norm(apply_mhat(m, x) - even_right_hand_side(m, b)), 1e-12);
  EXPECT_LT(norm(reconstruct(m, x_even, b) - x), 1e-12);
  EXPECT_LT(norm(apply_clover(m, apply_clover_inverse(m, x)) - x), 1e-12);
  EXPECT_EQ(norm(part(u.size, apply_mhat(m, x), SiteParity::odd)), 0.0);
}

TEST(ReferenceWilson, TemporalCloverIsTheSpatialOneByDefault) {
  const WilsonQuark quark{.clover = 1.7};
  EXPECT_EQ(quark.clover_temporal, 1.7);
}

TEST(ReferenceWilson, OddExtentsWrongSizesAndSingularBlocksAreErrors) {
  const GaugeConfiguration u({2, 2, 3, 2}), v({2, 2, 2, 2});
  EXPECT_THROW(apply_mhat({u, {}}, zero_spinors(u.size)), InputError);
  EXPECT_NO_THROW(apply_m({u, {}}, zero_spinors(u.size)));
  EXPECT_THROW(apply_m({v, {}}, zero_spinors(u.size)), InputError);
  WilsonMatrix m(v, {});
  m.clover[3] = DenseMatrix(12);
  EXPECT_THROW(apply_clover_inverse(m, zero_spinors(v.size)), Error);
}

}  // namespace
}  // namespace trellis::reference
