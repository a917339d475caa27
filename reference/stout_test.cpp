// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/stout.hpp"

#include <gtest/gtest.h>

#include "reference/flow.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceStout, IsOneEulerStepOfTheWilsonFlow) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 2}, 1), v = stout(u, 0.12);
  const std::vector<Matrix> z = flow_direction(u);
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_LT(distance(v.links[i], exponential(0.12 * z[i]) * u.links[i]), 1e-13);
}

TEST(ReferenceStout, LevelsRepeat) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 2);
  EXPECT_EQ(stout(stout(u, 0.1), 0.1).links, stout(u, 0.1, 2).links);
  EXPECT_EQ(stout(u, 0.1, 0).links, u.links);
}

TEST(ReferenceStout, SmoothsStaysInSu3AndCommutesWithTheGauge) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 2}, 3), v = stout(u, 0.1, 3);
  EXPECT_GT(plaquette(v).total, plaquette(u).total + 0.3);
  const GaugeTransformation g = random_transformation(u.size, 4);
  const GaugeConfiguration a = gauge_transform(v, g), b = stout(gauge_transform(u, g), 0.1, 3);
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_LT(distance(a.links[i], b.links[i]), 1e-12);
    EXPECT_LT(distance_from_su3(v.links[i]), 1e-12);
  }
}

}  // namespace
}  // namespace trellis::reference
