// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson_loops.hpp"

#include <gtest/gtest.h>

namespace trellis::reference {
namespace {

TEST(WilsonLoops, OrdersOfSteps) {
  EXPECT_EQ(orders_of_steps({1, 0, 0}).size(), 1u);
  EXPECT_EQ(orders_of_steps({1, -1, 0}).size(), 2u);
  EXPECT_EQ(orders_of_steps({1, 1, 1}).size(), 6u);
  EXPECT_EQ(orders_of_steps({0, -1, 2}).size(), 3u);
}

TEST(WilsonLoops, AlongAxesThoseOfPaths) {
  const auto u = hot_configuration({4, 2, 4, 4}, 5);
  double sum = 0.0;
  for (const auto& step : {std::array{1, 0, 0}, std::array{0, 1, 0}, std::array{0, 0, 1}})
    sum += wilson_loop(u, u, u, step, 2, 1) / 3.0;
  EXPECT_NEAR(sum, wilson_loop(u, 2, 1), 1e-13);
}

TEST(WilsonLoops, GaugeInvariant) {
  const auto u = hot_configuration({4, 4, 2, 4}, 7);
  const auto v = gauge_transform(u, random_transformation(u.size, 9));
  EXPECT_NEAR(wilson_loop(v, v, v, {1, -1, 1}, 1, 2), wilson_loop(u, u, u, {1, -1, 1}, 1, 2), 1e-13);
}

}  // namespace
}  // namespace trellis::reference
