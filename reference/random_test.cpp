// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trellis::reference {
namespace {

TEST(ReferenceRandom, NormalNumbersHaveTheRightMoments) {
  Random random(1);
  const int n = 100000;
  double first = 0.0, second = 0.0, fourth = 0.0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    first += x / n;
    second += x * x / n;
    fourth += x * x * x * x / n;
  }
  EXPECT_NEAR(first, 0.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(second, 1.0, 4.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth, 3.0, 4.0 * std::sqrt(96.0 / n));
}

TEST(ReferenceRandom, HaarMoments) {
  // Integrals over SU(3): <tr U> = 0, <|tr U|^2> = 1, <(tr U)^3> = 1, <|tr U|^4> = 2.
  Random random(2);
  const int n = 20000;
  Complex first = 0.0, third = 0.0;
  double second = 0.0, fourth = 0.0;
  for (int i = 0; i < n; ++i) {
    const Matrix u = random_su3(random);
    ASSERT_LT(distance_from_su3(u), 1e-13);
    const Complex t = trace(u);
    first += t / double(n);
    third += t * t * t / double(n);
    second += std::norm(t) / n;
    fourth += std::norm(t) * std::norm(t) / n;
  }
  EXPECT_LT(std::abs(first), 4.0 / std::sqrt(n));
  EXPECT_NEAR(second, 1.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(std::abs(third - 1.0), 0.0, 4.0 * std::sqrt(6.0 / n));
  EXPECT_NEAR(fourth, 2.0, 4.0 * std::sqrt(23.0 / n));
}

TEST(ReferenceRandom, NearOneGoesToOneWithTheSpread) {
  Random random(3);
  const Matrix u = random_su3_near_one(random, 1e-3);
  EXPECT_LT(distance_from_su3(u), 1e-15);
  EXPECT_LT(distance(u, identity()), 1e-2);
  EXPECT_GT(distance(u, identity()), 1e-4);
}

}  // namespace
}  // namespace trellis::reference
