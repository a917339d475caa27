// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gauge_fixing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/loops.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceGaugeFixing, UnitLinksAreAtTheMaximum) {
  const GaugeConfiguration u({2, 2, 4, 2});
  for (const int directions : {3, 4}) {
    EXPECT_EQ(gauge_functional(u, directions), 1.0);
    EXPECT_EQ(gauge_residual(u, directions), 0.0);
  }
}

TEST(ReferenceGaugeFixing, TheFunctionalIsTheLinkTrace) {
  const GaugeConfiguration u = warm_configuration({2, 4, 2, 2}, 8, 0.4);
  EXPECT_NEAR(gauge_functional(u, 4), link_trace(u), 1e-14);
}

// g(x) = exp(i e T_a) at a single site changes F by -e (Delta_a / 2) / (3 n V), where Delta = sum_a Delta_a T_a.
TEST(ReferenceGaugeFixing, TheDivergenceIsTheGradient) {
  const GaugeConfiguration u = warm_configuration({2, 2, 4, 2}, 5, 0.5);
  const double e = 1e-5;
  for (const int directions : {3, 4}) {
    const auto divergence = gauge_divergence(u, directions);
    double sum = 0;
    for (int i = 0; i < u.volume(); ++i) {
      const auto delta = coefficients(divergence[i]);
      for (int a = 0; a < 8; ++a) {
        const auto moved = [&](double step) {
          GaugeTransformation g(u.volume(), identity());
          g[i] = exponential(Complex(0, step) * generator(a));
          return gauge_functional(gauge_transform(u, g), directions);
        };
        const double slope = (moved(e) - moved(-e)) / (2 * e);
        EXPECT_NEAR(slope * 3 * directions * u.volume(), -delta[a] / 2, 1e-8);
        sum += delta[a] * delta[a] / 2;  // tr Delta^2
      }
    }
    EXPECT_NEAR(gauge_residual(u, directions), sum / (3 * u.volume()), 1e-13);
  }
}

}  // namespace
}  // namespace trellis::reference
