// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace trellis::reference {
namespace {

TEST(ReferenceWilsonSource, Walls) {
  const Site size = {2, 4, 3, 5};
  const SpinorField wall = wall_spinors(size, 3, 7);
  SpinorField sum = zero_spinors(size);
  for (int n = 0; n < 24; ++n) sum = sum + point_spinors(size, {n % 2, n / 2 % 4, n / 8, 3}, 7);
  EXPECT_EQ(norm(wall - sum), 0.0);
}

TEST(ReferenceWilsonSource, PlaneWavesWithoutLinks) {
  // H is 2 (cos p_x + cos p_y + cos p_z) on exp(ipx).
  const GaugeConfiguration u({4, 6, 3, 2});
  const std::array<double, 3> p = {0.5 * std::numbers::pi, std::numbers::pi / 3, 2 * std::numbers::pi / 3};
  SpinorField wave = zero_spinors(u.size);
  const Spinor chi = random_spinors({1, 1, 1, 1}, 1)[0];
  for (int n = 0; n < u.volume(); ++n) {
    const Site x = u.site(n);
    wave[n] = std::polar(1.0, p[0] * x[0] + p[1] * x[1] + p[2] * x[2]) * chi;
  }
  const double alpha = 0.3, h = 2 * (std::cos(p[0]) + std::cos(p[1]) + std::cos(p[2]));
  const double factor = std::pow((1 + alpha * h) / (1 + 6 * alpha), 5);
  EXPECT_LT(norm(gaussian_smear(u, wave, alpha, 5) - factor * wave), 1e-12);
  const SpinorField wall = wall_spinors(u.size, 1, 2);
  EXPECT_LT(norm(gaussian_smear(u, wall, alpha, 20) - wall), 1e-13);
}

TEST(ReferenceWilsonSource, OneStepFromAPoint) {
  const GaugeConfiguration u = hot_configuration({4, 4, 4, 2}, 2);
  const Site y = {3, 0, 2, 1};
  const double alpha = 0.25;
  const SpinorField s = gaussian_smear(u, point_spinors(u.size, y, 3 * 2 + 1), alpha, 1);
  EXPECT_NEAR(s[u.index(y)][7].real(), 1.0 / 2.5, 1e-15);
  for (int j = 0; j < 3; ++j)
    for (int c = 0; c < 3; ++c) {
      const Site behind = shift(y, j, -1), ahead = shift(y, j);
      EXPECT_LT(std::abs(s[u.index(behind)][6 + c] - 0.1 * u.link(behind, j)(c, 1)), 1e-15);
      EXPECT_LT(std::abs(s[u.index(ahead)][6 + c] - 0.1 * std::conj(u.link(y, j)(1, c))), 1e-15);
    }
  EXPECT_NEAR(norm(s), 0.4 * std::sqrt(1.0 + 6 * alpha * alpha), 1e-14);
}

TEST(ReferenceWilsonSource, SmearingTurnsWithTheGaugeAndIsHermitian) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 3}, 3);
  const GaugeTransformation g = random_transformation(u.size, 4);
  const SpinorField a = random_spinors(u.size, 5), b = random_spinors(u.size, 6);
  const SpinorField smeared = gaussian_smear(u, a, 0.4, 3);
  EXPECT_LT(norm(gaussian_smear(gauge_transform(u, g), gauge_transform(a, g), 0.4, 3) - gauge_transform(smeared, g)),
            1e-12);
  EXPECT_LT(std::abs(dot(b, smeared) - dot(gaussian_smear(u, b, 0.4, 3), a)), 1e-12);
  EXPECT_EQ(norm(gaussian_smear(u, a, 0.4, 0) - a), 0.0);
}

}  // namespace
}  // namespace trellis::reference
