// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/defect.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/numerical_derivative.hpp"

namespace trellis::reference {
namespace {

const LoopWeights all_loops{1.3, -0.4, 0.2};

TEST(ReferenceDefect, WithWeightOneItIsThePeriodicAction) {
  const Site size{4, 4, 2, 6};
  const auto u = hot_configuration(size, 3), v = hot_configuration(size, 4);
  const Defect defect{0, 2};
  // Up to the constant that makes the action of unit links zero.
  EXPECT_NEAR(defect_action(u, all_loops, defect, 1) - defect_action(v, all_loops, defect, 1),
              gauge_action(u, all_loops) - gauge_action(v, all_loops), 1e-10);
  const auto a = defect_derivative(u, {3, 1, 0, 1}, 0, all_loops, defect, 1);
  const auto b = gauge_derivative(u, {3, 1, 0, 1}, 0, all_loops);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(a[k], b[k], 1e-13);
}

TEST(ReferenceDefect, UnitLinksCountItsLoops) {
  // 2^3 links, each in 6 plaquettes; an edge of the cube inside the plane of a plaquette does not join two of them.
  const GaugeConfiguration unit({6, 6, 6, 6});
  const Defect defect{1, 2};
  const LoopWeights plaquettes{1, 0, 0};
  const double whole = defect_action(unit, plaquettes, defect, 1), open = defect_action(unit, plaquettes, defect, 0);
  EXPECT_NEAR(whole, -6.0 * 1296, 1e-9);
  // Pairs of neighbouring links share a plaquette: 12 edges of the cube. 8 x 6 - 12 plaquettes contain a link.
  EXPECT_NEAR(open - whole, 36, 1e-9);
  // The square of c for the 12 that contain two.
  EXPECT_NEAR(defect_action(unit, plaquettes, defect, 0.5) - whole, 24 * 0.5 + 12 * 0.75, 1e-9);
}

TEST(ReferenceDefect, DerivativeIsThatOfTheAction) {
  const auto u = hot_configuration({4, 4, 4, 4}, 5);
  const Defect defect{2, 2};
  const auto f = [&](const GaugeConfiguration& v) { return defect_action(v, all_loops, defect, 0.3); };
  for (const auto& [x, mu] : {std::pair{Site{0, 1, 3, 0}, 2}, {Site{1, 1, 3, 1}, 0}}) {
    const auto expected = numerical_derivative(f, u, x, mu);
    const auto found = defect_derivative(u, x, mu, all_loops, defect, 0.3);
    for (std::size_t a = 0; a < 8; ++a) EXPECT_NEAR(found[a], expected[a], 1e-8);
  }
}

TEST(ReferenceDefect, LinksAcrossTheBoundary) {
  const Site size{4, 4, 4, 8};
  const Defect defect{3, 2};
  EXPECT_EQ(link_weight(defect, 0.3, size, {0, 1, 1, 7}, 3), 0.3);
  EXPECT_EQ(link_weight(defect, 0.3, size, {4, -3, 5, -1}, 3), 0.3);  // the same site
  EXPECT_EQ(link_weight(defect, 0.3, size, {0, 1, 1, 7}, 2), 1);
  EXPECT_EQ(link_weight(defect, 0.3, size, {0, 2, 1, 7}, 3), 1);
  EXPECT_EQ(link_weight(defect, 0.3, size, {0, 1, 1, 6}, 3), 1);
}

}  // namespace
}  // namespace trellis::reference
