// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gauge.hpp"

#include <gtest/gtest.h>

namespace trellis::reference {
namespace {

TEST(ReferenceGauge, SitesAreLexicographicWithXFastestAndWrap) {
  const GaugeConfiguration u({2, 4, 6, 8});
  EXPECT_EQ(u.volume(), 384);
  EXPECT_EQ(u.index({1, 0, 0, 0}), 1);
  EXPECT_EQ(u.index({0, 1, 0, 0}), 2);
  EXPECT_EQ(u.index({0, 0, 1, 0}), 8);
  EXPECT_EQ(u.index({0, 0, 0, 1}), 48);
  EXPECT_EQ(u.index({-1, 4, -7, 17}), u.index({1, 0, 5, 1}));
  for (int i = 0; i < u.volume(); ++i) EXPECT_EQ(u.index(u.site(i)), i);
}

TEST(ReferenceGauge, LinksAreAddressedBySiteThenDirection) {
  GaugeConfiguration u({2, 2, 2, 4});
  EXPECT_EQ(u.links.size(), 128u);
  u.link({1, 0, 1, -1}, 2)(0, 1) = 7.0;
  EXPECT_EQ(u.links[4 * (1 + 4 + 8 * 3) + 2](0, 1), 7.0);
}

TEST(ReferenceGauge, RandomConfigurationsAreSu3AndFixedByTheSeed) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 5);
  for (const Matrix& m : u.links) EXPECT_LT(distance_from_su3(m), 1e-13);
  EXPECT_EQ(u.links, hot_configuration({2, 2, 2, 2}, 5).links);
  EXPECT_NE(u.links, hot_configuration({2, 2, 2, 2}, 6).links);
}

TEST(ReferenceGauge, TransformationActsOnBothEnds) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 1);
  GaugeTransformation g(u.volume(), identity());
  const Matrix h = random_transformation(u.size, 2)[0];
  const Site x = {1, 0, 1, 2};
  g[u.index(x)] = h;
  const GaugeConfiguration v = gauge_transform(u, g);
  EXPECT_LT(distance(v.link(x, 3), h * u.link(x, 3)), 1e-14);
  EXPECT_LT(distance(v.link(shift(x, 3, -1), 3), u.link(shift(x, 3, -1), 3) * adjoint(h)), 1e-14);
  EXPECT_LT(distance(v.link(shift(x, 3, 1), 3), u.link(shift(x, 3, 1), 3)), 1e-14);
}

TEST(ReferenceGauge, TransformationsCompose) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 1);
  const GaugeTransformation g = random_transformation(u.size, 2), h = random_transformation(u.size, 3);
  GaugeTransformation hg = g;
  for (int i = 0; i < u.volume(); ++i) hg[i] = h[i] * g[i];
  const GaugeConfiguration one_by_one = gauge_transform(gauge_transform(u, g), h), at_once = gauge_transform(u, hg);
  for (std::size_t i = 0; i < u.links.size(); ++i) EXPECT_LT(distance(one_by_one.links[i], at_once.links[i]), 1e-13);
}

}  // namespace
}  // namespace trellis::reference
