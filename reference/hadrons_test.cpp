// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/hadrons.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "reference/free_wilson.hpp"
#include "reference/random.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

using std::numbers::pi;

Propagator random_propagator(const Site& size, std::uint64_t seed) {
  Random random(seed);
  Propagator s(GaugeConfiguration(size).volume(), DenseMatrix(12));
  for (DenseMatrix& m : s)
    for (Complex& z : m.elements) {
      const double re = random.normal();
      z = Complex(re, random.normal());
    }
  return s;
}

DenseMatrix in_spin_space(const Matrix& g) {
  DenseMatrix m(12);
  for (int k = 0; k < 12; ++k)
    for (int j = 0; j < 3; ++j) m(k, 3 * (k / 3) + j) = g(k % 3, j);
  return m;
}

// Wick's theorem for a product of Grassmann variables: the first is contracted with every other in turn, with a sign
// for each variable between the two; < q qbar > = S, < qbar q > = -S.
struct Quark {
  bool bar;
  int flavour;
  int place;  // 0 source, 1 sink
  int component;
};
using Contraction = std::function<Complex(const Quark& q, const Quark& qbar)>;

Complex wick(const std::vector<Quark>& product, const Contraction& s) {
  if (product.empty()) return 1.0;
  Complex sum = 0.0;
  double sign = 1.0;
  for (std::size_t k = 1; k < product.size(); ++k, sign = -sign) {
    if (product[k].bar == product[0].bar || product[k].flavour != product[0].flavour) continue;
    std::vector<Quark> rest(product.begin() + 1, product.end());
    rest.erase(rest.begin() + static_cast<long>(k) - 1);
    sum += sign * (product[0].bar ? -s(product[k], product[0]) : s(product[0], product[k])) * wick(rest, s);
  }
  return sum;
}

TEST(ReferenceHadrons, MesonsAreWicksTheorem) {
  // The propagator back to the source is taken from the inverse of the full matrix.
  const WilsonQuark quark{.kappa = 0.12, .clover = 1.1, .boundary_angle_over_pi = {0.3, 0, 0, 1}};
  const WilsonMatrix m(hot_configuration({2, 2, 2, 2}, 1), quark);
  const DenseMatrix inverse_of_m = inverse(dense_wilson(m));
  Propagator s(16, DenseMatrix(12));
  for (int n = 0; n < 16; ++n)
    for (int row = 0; row < 12; ++row)
      for (int column = 0; column < 12; ++column) s[n](row, column) = inverse_of_m(12 * n + row, column);
  const std::vector<NamedSpinMatrix> all = sixteen_gammas();
  for (std::size_t which = 0; which < 16; ++which) {
    const SpinMatrix sink = all[which].matrix, source = all[(5 * which + 3) % 16].matrix;
    const Correlator c = meson_correlator(m.links.size, s, s, sink, source, {0, 1, 1});
    Correlator expected(2);
    for (int n = 0; n < 16; ++n) {
      const Site x = m.links.site(n);
      const Contraction contraction = [&](const Quark& q, const Quark& qbar) {
        return inverse_of_m(12 * (q.place * n) + q.component, 12 * (qbar.place * n) + qbar.component);
      };
      for (int k = 0; k < 16; ++k)
        for (int l = 0; l < 16; ++l) {
          const Complex spins = sink[k] * source[l];
          if (spins == 0.0) continue;
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              expected[x[3]] -= ((x[1] + x[2]) % 2 == 0 ? 1.0 : -1.0) * spins *
                                wick({{true, 1, 1, 3 * (k / 4) + a},
                                      {false, 0, 1, 3 * (k % 4) + a},
                                      {true, 0, 0, 3 * (l / 4) + b},
                                      {false, 1, 0, 3 * (l % 4) + b}},
                                     contraction);
        }
    }
    for (int t = 0; t < 2; ++t) EXPECT_LT(std::abs(c[t] - expected[t]), 1e-12) << all[which].name;
  }
}

TEST(ReferenceHadrons, TheProtonIsWicksTheorem) {
  const Site size = {1, 1, 1, 1};
  const Propagator up = random_propagator(size, 2), down = random_propagator(size, 3);
  const Contraction contraction = [&](const Quark& q, const Quark& qbar) {
    return (q.flavour == 0 ? up : down)[0](q.component, qbar.component);
  };
  const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const SpinMatrix b = charge_conjugation() * gamma5();
  const SpinMatrix bar = gamma_matrix(3) * adjoint(b) * gamma_matrix(3);
  for (int parity : {1, -1}) {
    const SpinMatrix p = Complex(0.5) * (spin_identity() + Complex(parity) * gamma_matrix(3));
    Complex expected = 0.0;
    for (int gh = 0; gh < 16; ++gh)
      for (int ij = 0; ij < 16; ++ij)
        for (int kl = 0; kl < 16; ++kl) {
          const Complex spins = p[gh] * b[ij] * bar[kl];
          if (spins == 0.0) continue;
          const int h = gh / 4, g = gh % 4, i = ij / 4, j = ij % 4, k = kl / 4, l = kl % 4;
          for (int m = 0; m < 6; ++m)
            for (int n = 0; n < 6; ++n) {
              const int* abc = permutations[m];
              const int* def = permutations[n];
              const double sign = (m < 3) == (n < 3) ? 1.0 : -1.0;
              expected += sign * spins *
                          wick({{false, 0, 1, 3 * i + abc[0]},
                                {false, 1, 1, 3 * j + abc[1]},
                                {false, 0, 1, 3 * g + abc[2]},
                                {true, 0, 0, 3 * h + def[2]},
                                {true, 1, 0, 3 * k + def[1]},
                                {true, 0, 0, 3 * l + def[0]}},
                               contraction);
            }
        }
    const Correlator c = proton_correlator(size, up, down, parity, {0, 0, 0});
    EXPECT_LT(std::abs(c[0] - expected), 1e-10 * std::abs(expected)) << c[0] << expected;
  }
}

TEST(ReferenceHadrons, OperatorsOfBaryonsGiveTheProton) {
  const Site size = {2, 1, 1, 2};
  const Propagator up = random_propagator(size, 12), down = random_propagator(size, 13);
  const BaryonOperator chi{{1.0, {0, 1, 0}, charge_conjugation() * gamma5()}};
  for (int parity : {1, -1}) {
    const SpinMatrix p = Complex(0.5) * (spin_identity() + Complex(parity) * gamma_matrix(3));
    const Correlator c = baryon_correlator(size, {up, down}, chi, chi, p, {1, 0, 0});
    const Correlator expected = proton_correlator(size, up, down, parity, {1, 0, 0});
    for (int t = 0; t < 2; ++t) EXPECT_LT(std::abs(c[t] - expected[t]), 1e-11 * std::abs(expected[t]));
  }
  // Another sum of operators for the same: (u d) u = -(d u) u, and half of each.
  const BaryonOperator half{{0.5, {0, 1, 0}, charge_conjugation() * gamma5()},
                            {-0.5, {1, 0, 0}, charge_conjugation() * gamma5()}};
  const Correlator a = baryon_correlator(size, {up, down}, chi, chi, gamma_matrix(3), {0, 0, 0});
  const Correlator b = baryon_correlator(size, {up, down}, half, chi, gamma_matrix(3), {0, 0, 0});
  for (int t = 0; t < 2; ++t) EXPECT_LT(std::abs(a[t] - b[t]), 1e-11 * std::abs(a[t]));
}

TEST(ReferenceHadrons, DoNotSeeTheGauge) {
  const Site size = {2, 1, 2, 2};
  const Propagator up = random_propagator(size, 4), down = random_propagator(size, 5);
  const GaugeTransformation g = random_transformation(size, 6);
  Propagator up_turned = up, down_turned = down;
  for (std::size_t n = 0; n < up.size(); ++n) {
    up_turned[n] = in_spin_space(g[n]) * up[n] * adjoint(in_spin_space(g[0]));
    down_turned[n] = in_spin_space(g[n]) * down[n] * adjoint(in_spin_space(g[0]));
  }
  const Correlator a = proton_correlator(size, up, down, 1, {1, 0, 0});
  const Correlator b = proton_correlator(size, up_turned, down_turned, 1, {1, 0, 0});
  const Correlator c = meson_correlator(size, up, down, gamma5(), sigma(0, 3), {1, 0, 0});
  const Correlator d = meson_correlator(size, up_turned, down_turned, gamma5(), sigma(0, 3), {1, 0, 0});
  for (int t = 0; t < 2; ++t) {
    EXPECT_LT(std::abs(a[t] - b[t]), 1e-11 * std::abs(a[t]));
    EXPECT_LT(std::abs(c[t] - d[t]), 1e-11 * std::abs(c[t]));
  }
}

TEST(ReferenceHadrons, MomentumIsThatOfAPlaneWave) {
  const Site size = {3, 2, 4, 2};
  const Propagator s = random_propagator(size, 7), anti = random_propagator(size, 8);
  Propagator moving = s;
  for (std::size_t k = 0; k < s.size(); ++k) {
    const Site x = GaugeConfiguration(size).site(static_cast<int>(k));
    moving[k] = std::polar(1.0, 2.0 * pi * (x[0] / 3.0 - x[2] / 4.0)) * s[k];
  }
  const Correlator meson = meson_correlator(size, moving, anti, gamma_matrix(1), gamma_matrix(1), {2, 1, 0});
  const Correlator meson_at_rest = meson_correlator(size, s, anti, gamma_matrix(1), gamma_matrix(1), {1, 1, 1});
  const Correlator proton = proton_correlator(size, anti, moving, -1, {2, 1, 0});
  const Correlator proton_at_rest = proton_correlator(size, anti, s, -1, {1, 1, 1});
  for (int t = 0; t < 2; ++t) {
    EXPECT_LT(std::abs(meson[t] - meson_at_rest[t]), 1e-11);
    EXPECT_LT(std::abs(proton[t] - proton_at_rest[t]), 1e-10);
    EXPECT_GT(std::abs(meson[t]), 1e-2);
  }
}

TEST(ReferenceHadrons, ThePionIsTheSquareOfThePropagator) {
  const Site size = {2, 1, 2, 3};
  const Propagator s = random_propagator(size, 9);
  const Correlator c = meson_correlator(size, s, s, gamma5(), gamma5(), {0, 0, 0});
  for (int t = 0; t < 3; ++t) {
    double sum = 0.0;
    for (int n = 4 * t; n < 4 * (t + 1); ++n)
      for (const Complex& z : s[n].elements) sum += std::norm(z);
    EXPECT_LT(std::abs(c[t] - sum), 1e-12 * sum);
  }
}

TEST(ReferenceHadrons, FreeHadronsArePositiveAndReflect) {
  const Site size = {2, 2, 3, 8};
  const Propagator s = free_propagator(size, {.kappa = 0.11});
  for (const NamedSpinMatrix& m : sixteen_gammas()) {
    const Correlator c = meson_correlator(size, s, s, m.matrix, m.matrix, {0, 0, 0});
    for (int t = 1; t < 8; ++t) {
      EXPECT_GT(meson_sign(m.matrix) * c[t].real(), 0.0) << m.name << t;
      EXPECT_LT(std::abs(c[t] - c[8 - t]), 1e-14) << m.name << t;
    }
  }
  const Correlator plus = proton_correlator(size, s, s, 1, {0, 0, 0});
  const Correlator minus = proton_correlator(size, s, s, -1, {0, 0, 0});
  for (int t = 1; t < 8; ++t) {
    EXPECT_GT(plus[t].real(), 0.0) << t;
    EXPECT_LT(std::abs(plus[t] + minus[8 - t]), 1e-14) << t;
  }
}

TEST(ReferenceHadrons, ThePlaceOfTheSourceDoesNotShow) {
  const WilsonQuark quark{.kappa = 0.11, .clover = 1.0, .boundary_angle_over_pi = {0.3, -0.5, 0.0, 1.0}};
  const GaugeConfiguration u = hot_configuration({2, 3, 1, 3}, 10);
  const Site source = {1, 2, 0, 1};
  GaugeConfiguration moved(u.size);
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      Site x = u.site(n);
      for (int nu = 0; nu < 4; ++nu) x[nu] += source[nu];
      moved.links[4 * n + mu] = u.link(x, mu);
    }
  const Propagator expected = point_propagator({moved, quark}, {0, 0, 0, 0});
  const Propagator s =
      seen_from_source(u.size, point_propagator({u, quark}, source), source, quark.boundary_angle_over_pi);
  for (int n = 0; n < u.volume(); ++n) EXPECT_LT(distance(s[n], expected[n]), 1e-11) << n;
}

TEST(ReferenceHadrons, SignsOfMesons) {
  EXPECT_EQ(meson_sign(gamma5()), 1.0);
  EXPECT_EQ(meson_sign(gamma_matrix(1)), 1.0);
  EXPECT_EQ(meson_sign(spin_identity()), -1.0);
  EXPECT_EQ(meson_sign(gamma_matrix(3) * gamma5()), -1.0);
  EXPECT_THROW(meson_sign(gamma5() + spin_identity()), Error);
}

}  // namespace
}  // namespace trellis::reference
