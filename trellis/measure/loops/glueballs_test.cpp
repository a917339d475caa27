// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/loops/glueballs.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
    }
  });
}

TEST(Glueballs, AreGaugeInvariant) {
  const auto u = reference::warm_configuration({4, 4, 2, 4}, 22, 0.4);
  const auto v = reference::gauge_transform(u, reference::random_transformation(u.size, 5));
  const auto before = glueball_operators({.levels = {1}}, test::from_reference<double, 1>(u)),
             after = glueball_operators({.levels = {1}}, test::from_reference<double, 1>(v));
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_NEAR(after[k].scalar, before[k].scalar, 1e-14);
    EXPECT_NEAR(after[k].tensor_2, before[k].tensor_2, 1e-14);
  }
}

TEST(Glueballs, LevelsOutOfRangeAreErrors) {
  for (const std::vector<int>& levels : {std::vector<int>{}, {-1}, {2, 2}, {3, 1}})
    EXPECT_THROW(require_valid(GlueballSelection{.levels = levels}), InputError);
}

}  // namespace
}  // namespace trellis::measure
