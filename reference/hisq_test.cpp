// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/hisq.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "reference/random.hpp"
#include "reference/staggered_matrix.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

using std::numbers::pi;
using Momentum = std::array<double, 4>;

double largest_distance(const GaugeConfiguration& a, const GaugeConfiguration& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.links.size(); ++i) largest = std::max(largest, distance(a.links[i], b.links[i]));
  return largest;
}

double dot(const Momentum& q, const Site& x) {
  double sum = 0.0;
  for (int mu = 0; mu < 4; ++mu) sum += q[mu] * x[mu];
  return sum;
}

TEST(ReferenceHisq, EveryPathOnceAndToTheNextSite) {
  for (int mu = 0; mu < 4; ++mu) {
    std::vector<Path> all;
    const std::array kinds = {one_link_paths(mu), three_link_paths(mu), five_link_paths(mu), seven_link_paths(mu),
                              lepage_paths(mu)};
    const std::array<std::size_t, 5> number = {1, 6, 24, 48, 6}, length = {1, 3, 5, 7, 5};
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      EXPECT_EQ(kinds[k].size(), number[k]);
      for (const Path& path : kinds[k]) {
        EXPECT_EQ(path.size(), length[k]);
        all.push_back(path);
      }
    }
    const GaugeConfiguration large = hot_configuration({6, 6, 6, 6}, 2);
    for (std::size_t a = 0; a < all.size(); ++a) {
      Site end = {};
      for (const Step& step : all[a]) end = shift(end, step.direction, step.forward ? 1 : -1);
      EXPECT_EQ(end, shift({}, mu));
      const Matrix product = path_product(large, {}, all[a]);
      for (std::size_t b = 0; b < a; ++b) EXPECT_GT(distance(product, path_product(large, {}, all[b])), 1e-3);
    }
  }
}

TEST(ReferenceHisq, UnitLinks) {
  const GaugeConfiguration u({2, 2, 2, 2});
  EXPECT_LT(largest_distance(fat_links(u, fat7_paths()), u), 1e-14);
  for (const ImprovedLinks& links : {hisq_links(u), asqtad_links(u, 1.0), improved_links(u, naik_paths())}) {
    EXPECT_LT(distance(links.fat.links[5], 9.0 / 8.0 * identity()), 1e-14);
    EXPECT_LT(distance(links.three_steps.links[5], -1.0 / 24.0 * identity()), 1e-14);
    // One step and three steps together: the derivative's coefficient stays 1.
    const ImprovedLinks corrected = with_naik_epsilon(links, -0.3);
    EXPECT_LT(distance(corrected.fat.links[3], (9.0 - 0.3) / 8.0 * identity()), 1e-14);
    EXPECT_LT(distance(corrected.three_steps.links[3], -0.7 / 24.0 * identity()), 1e-14);
    EXPECT_LT(distance(corrected.fat.links[3] + 3.0 * corrected.three_steps.links[3], identity()), 1e-14);
  }
}

// Links u0 times one are what tadpole improvement takes for free ones: all paths have the size of one link.
TEST(ReferenceHisq, TadpoleFactors) {
  GaugeConfiguration u({2, 2, 2, 2});
  const double u0 = 0.87;
  for (Matrix& link : u.links) link = u0 * link;
  const ImprovedLinks links = asqtad_links(u, u0);
  EXPECT_LT(distance(links.fat.links[0], 9.0 / 8.0 * u0 * identity()), 1e-14);
  EXPECT_LT(distance(links.three_steps.links[0], -1.0 / 24.0 * u0 * identity()), 1e-14);
  // HISQ divides by the size of its links instead.
  EXPECT_LT(distance(hisq_links(u).fat.links[0], 9.0 / 8.0 * identity()), 1e-14);
}

TEST(ReferenceHisq, PlaneWavesOnUnitLinks) {
  const GaugeConfiguration u({6, 4, 2, 8});
  const LinkPhases theta = link_phases(u.size, {.antiperiodic = false});
  const Momentum p = {pi / 3, pi / 2, pi, 3 * pi / 4};
  for (const double naik_epsilon : {0.0, -0.25}) {
    const ImprovedLinks links = with_naik_epsilon(hisq_links(u), naik_epsilon);
    ColourField wave = constant_field(u.size, 0.0), expected = wave;
    for (int n = 0; n < u.volume(); ++n) {
      const Site x = u.site(n);
      wave[n][1] = std::polar(1.0, dot(p, x));
      for (int mu = 0; mu < 4; ++mu)
        expected[n][1] +=
            Complex(0.0, eta(x, mu)) * wave[n][1] *
            ((9.0 + naik_epsilon) / 8.0 * std::sin(p[mu]) - (1.0 + naik_epsilon) / 24.0 * std::sin(3 * p[mu]));
    }
    EXPECT_LT(norm(apply_d(links, theta, wave) - expected), 1e-12);
  }
}

// A weak Abelian field A_mu(x) = a cos(q x) in the links along mu alone changes a smeared link by a times the form
// factor of its paths. That of Fat7 is prod (1 + cos q_nu) / 2: it vanishes at the edge of the zone, so that quarks do
// not change their taste by emitting one gluon. At small q, Lepage's paths cancel its q^2: once for Asqtad, and twice
// that for both levels of HISQ.
double form_factor(const Momentum& q, const std::function<GaugeConfiguration(const GaugeConfiguration&)>& smear) {
  const double a = 1e-5;
  GaugeConfiguration u({4, 2, 4, 8});
  for (int n = 0; n < u.volume(); ++n)
    u.links[4 * n + 1] = exponential(Complex(0.0, a * std::cos(dot(q, u.site(n)))) * generator(2));
  const double t = 0.5;  // the first element of generator(2)
  return smear(u).link({0, 0, 0, 0}, 1)(0, 0).imag() / (a * t);
}

TEST(ReferenceHisq, FormFactors) {
  const auto fat7 = [](const GaugeConfiguration& u) { return fat_links(u, fat7_paths()); };
  const auto hisq = [](const GaugeConfiguration& u) { return hisq_links(u).fat; };
  const auto asqtad = [](const GaugeConfiguration& u) { return asqtad_links(u, 1.0).fat; };
  for (const Momentum q : {Momentum{pi, 0, 0, 0}, Momentum{pi / 2, 0, pi, pi / 4}, Momentum{pi / 2, 0, pi / 2, pi / 4},
                           Momentum{0, 0, 0, pi / 2}, Momentum{}}) {
    double product = 1.0, lepage = 0.0;  // q_1 = 0: links along 1 do not change along 1
    for (const int nu : {0, 2, 3}) {
      product *= (1.0 + std::cos(q[nu])) / 2.0;
      lepage += (1.0 - std::cos(2 * q[nu])) / 8.0;
    }
    EXPECT_NEAR(form_factor(q, fat7), product, 1e-8);
    // 1/8 belongs to the hops of three steps.
    EXPECT_NEAR(form_factor(q, asqtad), product + lepage + 1.0 / 8.0, 1e-8);
    EXPECT_NEAR(form_factor(q, hisq), product * (product + 2 * lepage + 1.0 / 8.0), 1e-8);
  }
}

TEST(ReferenceHisq, UnitaryPartIsUnitaryAndTheRestPositive) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix v;
    for (Complex& z : v) {
      const double re = random.normal();
      z = Complex(re, random.normal());
    }
    const Matrix w = unitary_part(v), h = adjoint(w) * v;
    EXPECT_LT(distance(w * adjoint(w), identity()), 1e-12);
    EXPECT_LT(distance(h, adjoint(h)), 1e-12);
    EXPECT_GT(h(0, 0).real(), 0.0);
    EXPECT_GT((h(0, 0) * h(1, 1) - h(0, 1) * h(1, 0)).real(), 0.0);
    EXPECT_GT(determinant(h).real(), 0.0);
  }
  EXPECT_EQ(unitary_part(zero_matrix()), zero_matrix()) << "a link that does not exist";
  Matrix singular = zero_matrix();
  singular[0] = 1;
  EXPECT_THROW(unitary_part(singular), Error);
}

const QuarkPhases improved_quark{.imaginary_potential = 0.4, .charge = 2.0, .flux = {.ex = 1, .by = -1, .bz = 1}};

TEST(ReferenceHisq, TurnsWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 4}, 5);
  const GaugeTransformation g = random_transformation(u.size, 6);
  const LinkPhases theta = link_phases(u.size, improved_quark);
  const ColourField psi = random_field(u.size, 7);
  const auto apply = [&](const GaugeConfiguration& v, const ColourField& chi) {
    return apply_m(with_naik_epsilon(hisq_links(v), -0.2), theta, 0.2, chi);
  };
  EXPECT_LT(norm(apply(gauge_transform(u, g), gauge_transform(psi, g)) - gauge_transform(apply(u, psi), g)), 1e-11);
}

TEST(ReferenceHisq, TurnsWithTheGaugeOfThePhases) {
  const GaugeConfiguration u = hot_configuration({2, 4, 6, 4}, 8);
  const ImprovedLinks links = asqtad_links(u, 0.9);
  const LinkPhases theta = link_phases(u.size, improved_quark);
  ColourField psi = random_field(u.size, 9), expected = apply_d(links, theta, psi);
  LinkPhases turned = theta;
  const auto angle = [&](int n) { return 0.7 * n * n; };
  for (int n = 0; n < u.volume(); ++n) {
    for (int mu = 0; mu < 4; ++mu) turned[4 * n + mu] += angle(n) - angle(u.index(shift(u.site(n), mu)));
    for (Complex& z : psi[n]) z *= std::polar(1.0, angle(n));
    for (Complex& z : expected[n]) z *= std::polar(1.0, angle(n));
  }
  EXPECT_LT(norm(apply_d(links, turned, psi) - expected), 1e-10);
}

TEST(ReferenceHisq, HopsOfThreeStepsHaveThreePhases) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 8}, 10);
  const ImprovedLinks links = hisq_links(u);
  const double mu_i = 0.4, each = pi * mu_i / 8;
  const LinkPhases theta = link_phases(u.size, {.imaginary_potential = mu_i});
  const Site y = {1, 2, 1, 1};
  const ColourField d = apply_d(links, theta, point_field(u.size, y, 2));
  // At t = 6 from t = 1 across the boundary, and at t = 4 from t = 1 inside: eta_3 = (-1)^(1+2+1) = 1.
  const Site before = {1, 2, 1, 6}, after = {1, 2, 1, 4};
  for (int c = 0; c < 3; ++c) {
    const Complex across = -0.5 * std::polar(1.0, 3 * each) * links.three_steps.link(before, 3)(c, 2);
    EXPECT_LT(std::abs(d[u.index(before)][c] - across), 1e-15);
    const Complex inside = -0.5 * std::polar(1.0, -3 * each) * std::conj(links.three_steps.link(y, 3)(2, c));
    EXPECT_LT(std::abs(d[u.index(after)][c] - inside), 1e-15);
  }
}

TEST(ReferenceHisq, MatrixIsAntihermitianBesideTheMass) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 11);
  const LinkPhases theta = link_phases(u.size, improved_quark);
  const ImprovedLinks links = hisq_links(u);
  const DenseMatrix m = staggered_matrix(links, theta, 0.3);
  EXPECT_LT(distance(m + adjoint(m), Complex(0.6) * dense_identity(m.n)), 1e-12);
  const ColourField psi = random_field(u.size, 12);
  const DenseVector product = m * to_dense(psi), expected = to_dense(apply_m(links, theta, 0.3, psi));
  for (int k = 0; k < m.n; ++k) EXPECT_LT(std::abs(product[k] - expected[k]), 1e-12);
  // No hop keeps the parity.
  for (int row = 0; row < m.n; ++row)
    for (int column = 0; column < m.n; ++column)
      if (row != column && epsilon(u.site(row / 3)) == epsilon(u.site(column / 3))) {
        EXPECT_EQ(m(row, column), Complex(0.0));
      }
}

TEST(ReferenceHisq, OddExtentsAreErrors) {
  const GaugeConfiguration u({2, 2, 3, 2});
  EXPECT_THROW(apply_d(hisq_links(u), link_phases(u.size, {}), constant_field(u.size, 1.0)), InputError);
}

}  // namespace
}  // namespace trellis::reference
