// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/loops/glueballs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/clover.hpp"
#include "reference/loops.hpp"
#include "reference/projected_smearing.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/error.hpp"

namespace trellis::measure {
namespace {

// Of one plane and time slice: average of Re tr P / 3.
double plane(const reference::GaugeConfiguration& u, int mu, int nu, int t) {
  using reference::backward, reference::forward;
  double sum = 0;
  int sites = 0;
  for (int n = 0; n < u.volume(); ++n) {
    if (u.site(n)[3] != t) continue;
    const auto loop = reference::path_product(u, u.site(n), forward(mu) + forward(nu) + backward(mu) + backward(nu));
    sum += trace(loop).real() / 3;
    ++sites;
  }
  return sum / sites;
}

// 1/3 of the average over a time slice of sum eps_ijk tr[B_i(x) U_j(x) B_k(x + j) U_j(x)^+].
double pseudoscalar(const reference::GaugeConfiguration& u, int t) {
  double sum = 0;
  int sites = 0;
  for (int n = 0; n < u.volume(); ++n) {
    const auto x = u.site(n);
    if (x[3] != t) continue;
    ++sites;
    const auto magnetic = [&](const reference::Site& at, int i) {
      return reference::field_strength(u, at, (i + 1) % 3, (i + 2) % 3);
    };
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) {
          const int epsilon = (j - i) * (k - i) * (k - j) / 2;
          if (epsilon == 0) continue;
          auto next = x;
          next[std::size_t(j)] = (x[std::size_t(j)] + 1) % u.size[std::size_t(j)];
          const auto link = reference::path_product(u, x, reference::forward(j));
          sum += epsilon * trace(magnetic(x, i) * link * magnetic(next, k) * adjoint(link)).real() / 3;
        }
  }
  return sum / sites;
}

// The mirror image x_mu -> -x_mu of these directions.
reference::GaugeConfiguration reflected(const reference::GaugeConfiguration& u, const std::vector<int>& directions) {
  auto v = u;
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      auto x = u.site(n);
      bool flipped = false;
      for (const int nu : directions) {
        const auto size = u.size[std::size_t(nu)];
        x[std::size_t(nu)] = (size - x[std::size_t(nu)]) % size;
        flipped = flipped || nu == mu;
      }
      // From the image of n along mu is from x along -mu in the original.
      v.links[std::size_t(4 * n + mu)] =
          reference::path_product(u, x, flipped ? reference::backward(mu) : reference::forward(mu));
    }
  return v;
}

TEST(Glueballs, AreTheFormula) {
  const reference::Site size{4, 2, 4, 6};
  const auto u = reference::warm_configuration(size, 21, 0.4);
  test::for_each_lane_count(size, [&]<int W>() {
    const auto found = glueball_operators({.ape_alpha = 0.7, .levels = {0, 3}}, test::from_reference<double, W>(u));
    ASSERT_EQ(found.size(), 12u);
    for (int k = 0; k < 12; ++k) {
      const int level = k < 6 ? 0 : 3, t = k % 6;
      const auto smeared = reference::spatial_ape(u, 0.7, level);
      const double xy = plane(smeared, 0, 1, t), xz = plane(smeared, 0, 2, t), yz = plane(smeared, 1, 2, t);
      const auto& o = found[std::size_t(k)];
      EXPECT_EQ(o.level, level);
      EXPECT_EQ(o.time, t);
      EXPECT_NEAR(o.scalar, (xy + xz + yz) / 3, 1e-14);
      EXPECT_NEAR(o.tensor_1, (yz - xz) / std::sqrt(2.0), 1e-14);
      EXPECT_NEAR(o.tensor_2, (xz + yz - 2 * xy) / std::sqrt(6.0), 1e-14);
      const double expected = pseudoscalar(smeared, t);
      EXPECT_GT(std::abs(expected), 1e-5);
      EXPECT_NEAR(o.pseudoscalar, expected, 1e-14);
    }
  });
}

TEST(Glueballs, HaveTheirParity) {
  const auto u = reference::warm_configuration({4, 4, 6, 4}, 23, 0.5);
  const auto operators = [](const reference::GaugeConfiguration& v) {
    return glueball_operators({.levels = {0, 2}}, test::from_reference<double, 1>(v));
  };
  const auto before = operators(u);
  for (const auto& directions : {std::vector<int>{0}, {1}, {2}, {0, 1, 2}}) {
    const auto after = operators(reflected(u, directions));
    for (std::size_t k = 0; k < before.size(); ++k) {
      EXPECT_NEAR(after[k].scalar, before[k].scalar, 1e-14);
      EXPECT_NEAR(after[k].tensor_1, before[k].tensor_1, 1e-14);
      EXPECT_NEAR(after[k].tensor_2, before[k].tensor_2, 1e-14);
      EXPECT_GT(std::abs(before[k].pseudoscalar), 1e-7);
      EXPECT_NEAR(after[k].pseudoscalar, -before[k].pseudoscalar, 1e-14);
    }
  }
  // A rotation of two axes, which is two reflections.
  const auto turned = operators(reflected(u, {0, 1}));
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(turned[k].pseudoscalar, before[k].pseudoscalar, 1e-14);
}

TEST(Glueballs, AreEvenUnderChargeConjugation) {
  const auto u = reference::warm_configuration({4, 2, 4, 4}, 24, 0.5);
  auto v = u;
  for (auto& link : v.links)
    for (auto& value : link) value = std::conj(value);
  const auto before = glueball_operators({.levels = {1}}, test::from_reference<double, 1>(u)),
             after = glueball_operators({.levels = {1}}, test::from_reference<double, 1>(v));
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k].pseudoscalar, before[k].pseudoscalar, 1e-14);
}

TEST(Glueballs, AreGaugeInvariant) {
  const auto u = reference::warm_configuration({4, 4, 2, 4}, 22, 0.4);
  const auto v = reference::gauge_transform(u, reference::random_transformation(u.size, 5));
  const auto before = glueball_operators({.levels = {1}}, test::from_reference<double, 1>(u)),
             after = glueball_operators({.levels = {1}}, test::from_reference<double, 1>(v));
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_NEAR(after[k].scalar, before[k].scalar, 1e-14);
    EXPECT_NEAR(after[k].tensor_2, before[k].tensor_2, 1e-14);
    EXPECT_NEAR(after[k].pseudoscalar, before[k].pseudoscalar, 1e-14);
  }
}

TEST(Glueballs, LevelsOutOfRangeAreErrors) {
  for (const std::vector<int>& levels : {std::vector<int>{}, {-1}, {2, 2}, {3, 1}})
    EXPECT_THROW(require_valid(GlueballSelection{.levels = levels}), InputError);
}

}  // namespace
}  // namespace trellis::measure
