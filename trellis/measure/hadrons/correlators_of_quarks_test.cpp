// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Contractions of different quarks against the oracle, which evaluates the operators of baryons by Wick's theorem.
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/hadrons.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_propagators.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
const reference::Site kSize{2, 2, 2, 4};
constexpr std::array<double, 4> kAngle{0, 0, 0, 0.37};

reference::Propagator random_propagator(std::uint64_t seed) {
  return reference::from_columns(
      kSize, [&](int k) { return reference::random_spinors(kSize, seed + static_cast<std::uint64_t>(k)); });
}

struct Quarks {
  std::vector<reference::Propagator> s{random_propagator(17), random_propagator(47), random_propagator(83)};
  std::vector<reference::Propagator> seen(const Coordinate& source) const {
    std::vector<reference::Propagator> all;
    for (const auto& one : s) all.push_back(reference::seen_from_source(kSize, one, source, kAngle));
    return all;
  }
  template <int W>
  std::vector<FullSpinors<double, W>> fields() const {
    std::vector<FullSpinors<double, W>> all;
    for (const auto& one : s) all.push_back(test::propagator_from_reference<W>(kSize, one));
    return all;
  }
};

reference::Correlator sum_of(const reference::Correlator& a, Complex factor, const reference::Correlator& b) {
  auto sum = a;
  for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += factor * b[t];
  return sum;
}

// By name, with the operators' definitions; flavours are numbers of propagators.
reference::Correlator expected(const std::string& name, const std::vector<reference::Propagator>& s,
                               const std::array<int, 3>& f, const Momentum& n) {
  using namespace reference;
  const bool negative = name.ends_with("_negative");
  const double sign = negative ? -1 : 1;
  const reference::SpinMatrix p = Complex(0.5) * (Complex(sign) * spin_identity() + gamma_matrix(3));
  const reference::SpinMatrix scalar = charge_conjugation() * gamma5();
  if (name.starts_with("proton")) {
    const BaryonOperator chi{{1, {0, 1, 0}, scalar}};
    return baryon_correlator(kSize, {s[f[0]], s[f[2]]}, chi, chi, p, n);
  }
  // Quarks 1, 2, 3 are different flavours, also where their propagators are equal.
  const std::vector<Propagator> three{s[f[0]], s[f[1]], s[f[2]]};
  if (name.starts_with("lambda")) {
    const double a = 1 / std::sqrt(6.0);
    const BaryonOperator chi{{2 * a, {0, 1, 2}, scalar}, {a, {0, 2, 1}, scalar}, {-a, {1, 2, 0}, scalar}};
    return baryon_correlator(kSize, three, chi, chi, p, n);
  }
  reference::Correlator sum(4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto chi = [&](int k) {
        const reference::SpinMatrix b = charge_conjugation() * gamma_matrix(k);
        const double a = std::sqrt(2.0 / 3);
        return BaryonOperator{{a, {0, 1, 2}, b}, {a, {1, 2, 0}, b}, {a, {2, 0, 1}, b}};
      };
      const reference::SpinMatrix projector =
          Complex(i == j) * spin_identity() - Complex(1.0 / 3) * gamma_matrix(i) * gamma_matrix(j);
      sum = sum_of(sum, 1.0 / 3, baryon_correlator(kSize, three, chi(j), chi(i), p * projector, n));
    }
  return sum;
}

double largest(const std::vector<Complex>& c) {
  double most = 0;
  for (const auto& value : c) most = std::max(most, std::abs(value));
  return most;
}

TEST(CorrelatorsOfQuarks, BaryonsAreTheirOperators) {
  const Quarks quarks;
  const Coordinate source{1, 0, 1, 3};
  const auto seen = quarks.seen(source);
  const std::vector<Momentum> momenta{{0, 0, 0}, {1, 0, 1}};
  std::vector<std::vector<std::vector<Complex>>> first;
  test::for_each_lane_count(kSize, [&]<int W>() {
    const auto fields = quarks.fields<W>();
    const SinkParameters sink{.source = source, .momenta = momenta, .boundary_angle_over_pi = kAngle};
    std::vector<std::vector<std::vector<Complex>>> found;
    for (const std::array<int, 3> f : {std::array{0, 0, 1}, {1, 1, 1}, {2, 0, 1}}) {
      std::vector<std::string> names;
      for (const auto& name : baryons_of_quarks())
        if (f[0] == f[1] || !name.starts_with("proton")) names.push_back(name);
      found.push_back(baryon_correlators<W>(fields, f, names, sink));
      if (!first.empty()) continue;
      for (std::size_t k = 0; k < names.size(); ++k)
        for (std::size_t p = 0; p < momenta.size(); ++p) {
          const auto wanted = expected(names[k], seen, f, momenta[p]);
          for (std::size_t t = 0; t < 4; ++t)
            EXPECT_LT(std::abs(found.back()[k][4 * p + t] - wanted[t]), 1e-12 * largest(wanted))
                << names[k] << " " << f[0] << f[1] << f[2] << " " << p << " " << t;
        }
    }
    if (first.empty()) first = found;
    EXPECT_TRUE(found == first) << W << " lanes have other bits";
  });
}

// Flavour symmetry: the members of a multiplet have one correlator if masses are equal, and that of equal quarks is the
// operator without flavours.
TEST(CorrelatorsOfQuarks, MembersOfMultipletsAreEqual) {
  const Quarks quarks;
  const auto fields = quarks.fields<1>();
  const std::vector<std::string> names{"proton", "lambda", "decuplet"};
  const auto of = [&](std::array<int, 3> f, std::span<const std::string> which) {
    return baryon_correlators<1>(fields, f, which, {});
  };
  const auto same = of({2, 2, 2}, names);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_LT(std::abs(same[0][t] - same[1][t]), 1e-12 * largest(same[0])) << t;
  // Any order of the quarks of a decuplet.
  const std::vector<std::string> decuplet{"decuplet"};
  const auto a = of({0, 1, 2}, decuplet)[0], b = of({2, 0, 1}, decuplet)[0], c = of({1, 0, 2}, decuplet)[0];
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_LT(std::abs(a[t] - b[t]), 1e-12 * largest(a));
    EXPECT_LT(std::abs(a[t] - c[t]), 1e-12 * largest(a));
  }
  // eps_abc (q_a^T C gamma_i q_b) q_c of identical quarks: Omega.
  const auto seen = quarks.seen({0, 0, 0, 0});
  reference::Correlator omega(4);
  using namespace reference;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto chi = [](int k) { return BaryonOperator{{1, {2, 2, 2}, charge_conjugation() * gamma_matrix(k)}}; };
      const reference::SpinMatrix projector =
          Complex(0.5) * (spin_identity() + gamma_matrix(3)) *
          (Complex(i == j) * spin_identity() - Complex(1.0 / 3) * gamma_matrix(i) * gamma_matrix(j));
      omega = sum_of(omega, 1.0 / 3, baryon_correlator(kSize, seen, chi(j), chi(i), projector, {0, 0, 0}));
    }
  for (std::size_t t = 0; t < 4; ++t) EXPECT_LT(std::abs(same[2][t] - omega[t]), 1e-12 * largest(omega)) << t;
  // Sigma*+ of two equal quarks: [2 (u C gamma_i s) u + (u C gamma_i u) s] / sqrt 3.
  reference::Correlator sigma(4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto chi = [](int k) {
        const auto g = charge_conjugation() * gamma_matrix(k);
        const double w = 1 / std::sqrt(3.0);
        return BaryonOperator{{2 * w, {0, 1, 0}, g}, {w, {0, 0, 1}, g}};
      };
      const reference::SpinMatrix projector =
          Complex(0.5) * (spin_identity() + gamma_matrix(3)) *
          (Complex(i == j) * spin_identity() - Complex(1.0 / 3) * gamma_matrix(i) * gamma_matrix(j));
      sigma = sum_of(sigma, 1.0 / 3, baryon_correlator(kSize, seen, chi(j), chi(i), projector, {0, 0, 0}));
    }
  // With the source at the origin no boundary phase enters.
  const auto found = of({0, 0, 1}, decuplet)[0];
  for (std::size_t t = 0; t < 4; ++t) EXPECT_LT(std::abs(found[t] - sigma[t]), 1e-12 * largest(sigma)) << t;
}

TEST(CorrelatorsOfQuarks, MesonsAreTheFormula) {
  const Quarks quarks;
  const Coordinate source{1, 0, 1, 3};
  const auto seen = quarks.seen(source);
  const std::vector<Momentum> momenta{{0, 0, 0}, {1, 0, -1}, {-1, 0, 1}};
  std::vector<std::string> names;
  for (const auto& name : hadron_names())
    if (!is_baryon(name)) names.push_back(name);
  std::vector<std::vector<Complex>> first;
  test::for_each_lane_count(kSize, [&]<int W>() {
    const auto fields = quarks.fields<W>();
    const SinkParameters sink{.source = source, .momenta = momenta, .boundary_angle_over_pi = kAngle};
    const auto found = meson_correlators(fields[0], fields[1], names, sink);
    const auto exchanged = meson_correlators(fields[1], fields[0], names, sink);
    const auto same = meson_correlators(fields[2], fields[2], names, sink);
    const auto usual = hadron_correlators(fields[2], names, sink);
    for (std::size_t k = 0; k < names.size(); ++k)
      for (std::size_t p = 0; p < momenta.size(); ++p)
        for (std::size_t t = 0; t < 4; ++t) {
          EXPECT_LT(std::abs(same[k][4 * p + t] - usual[k][4 * p + t]), 1e-13 * largest(usual[k])) << names[k];
          const std::size_t opposite = p == 0 ? 0 : 3 - p;
          EXPECT_LT(std::abs(found[k][4 * p + t] - std::conj(exchanged[k][4 * opposite + t])),
                    1e-13 * largest(found[k]));
        }
    if (first.empty()) {
      first = found;
      const auto gammas = reference::sixteen_gammas();
      for (std::size_t k = 0; k < 16; ++k)
        for (std::size_t p = 0; p < momenta.size(); ++p) {
          const auto& gamma = gammas[k].matrix;
          const auto c = reference::meson_correlator(kSize, seen[0], seen[1], gamma, gamma, momenta[p]);
          for (std::size_t t = 0; t < 4; ++t)
            EXPECT_LT(std::abs(found[k][4 * p + t] - reference::meson_sign(gamma) * c[t]), 1e-13 * largest(c))
                << names[k] << " " << p << " " << t;
        }
    }
    EXPECT_TRUE(found == first) << W << " lanes have other bits";
  });
}

// A current on either of two equal quarks: C is bilinear in their propagators.
TEST(CorrelatorsOfQuarks, ProtonsOfDifferentQuarksAreBothOrders) {
  auto quarks = Quarks();
  for (std::size_t n = 0; n < quarks.s[0].size(); ++n) quarks.s[2][n] = quarks.s[0][n] + quarks.s[1][n];
  quarks.s.push_back(random_propagator(99));
  const auto fields = quarks.fields<1>();
  const std::vector<std::string> names{"proton", "proton_negative"};
  const auto of = [&](int a, int b) { return baryon_correlators<1>(fields, {a, b, 3}, names, {}); };
  const auto both = of(0, 1), first = of(0, 0), second = of(1, 1), sum = of(2, 2);
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t t = 0; t < 4; ++t)
      EXPECT_LT(std::abs(both[k][t] - (sum[k][t] - first[k][t] - second[k][t])), 1e-12 * largest(sum[k])) << k << t;
  EXPECT_GT(largest(both[0]), 1e-3 * largest(sum[0]));
}

TEST(CorrelatorsOfQuarks, WhatCannotBeIsRefused) {
  const auto fields = Quarks().fields<1>();
  const std::vector<std::string> proton{"proton"}, pion{"pion"}, wrong{"kaon"};
  EXPECT_THROW(baryon_correlators<1>(fields, {0, 0, 1}, pion, {}), InputError);
  EXPECT_THROW(meson_correlators<1>(fields[0], fields[1], proton, {}), InputError);
  EXPECT_THROW(meson_correlators<1>(fields[0], fields[1], wrong, {}), InputError);
  EXPECT_THROW(meson_correlators<1>(fields[0], FullSpinors<double, 1>(fields[0].lattice(), 11), pion, {}), Error);
}

}  // namespace
}  // namespace trellis::measure
