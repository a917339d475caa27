// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Masses are recovered from correlators that were constructed with them.
#include "trellis/analysis/effective_mass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trellis::analysis {
namespace {

TEST(EffectiveMass, OfACosh) {
  for (const int extent : {4, 8, 31, 64})
    for (const double m : {1e-3, 0.05, 0.7, 3.0, 20.0})
      for (int t = 0; t < extent - 1; ++t) {
        // cosh(m (L/2 - t)) divided by the larger of its values at t and t + 1, without overflow.
        const double largest = m * std::max(std::abs(0.5 * extent - t), std::abs(0.5 * extent - t - 1));
        const auto c = [&](int time) {
          const double x = m * std::abs(0.5 * extent - time);
          return std::exp(x - largest) * (1 + std::exp(-2 * x));
        };
        const double found = cosh_mass(c(t), c(t + 1), t, extent);
        if (2 * t + 1 == extent)
          EXPECT_TRUE(std::isnan(found));  // the two values in the middle are equal
        else
          EXPECT_NEAR(found, m, 1e-13 * m + 1e-13 / m) << extent << " " << t;
      }
}

TEST(EffectiveMass, SlopeOfACosh) {
  for (const int t : {1, 5, 9, 14})
    for (const double ratio : {1.3, 2.7}) {
      const double up = t < 8 ? ratio : 1 / ratio, step = 1e-5;
      const auto mass = [&](double shift) { return cosh_mass(up * std::exp(shift), 1, t, 16); };
      EXPECT_NEAR(cosh_mass_slope(mass(0), t, 16), (mass(step) - mass(-step)) / (2 * step), 1e-8);
    }
}

TEST(EffectiveMass, OfALogarithm) {
  EXPECT_NEAR(log_mass(std::exp(-0.3), std::exp(-0.8)), 0.5, 1e-15);
  EXPECT_NEAR(log_mass(-2, -1), std::log(2), 1e-15);
}

TEST(EffectiveMass, NoneWhereThereIsNone) {
  EXPECT_TRUE(std::isnan(log_mass(1, -1)));
  EXPECT_TRUE(std::isnan(log_mass(1, std::nan(""))));
  EXPECT_TRUE(std::isnan(cosh_mass(1, 1, 2, 16)));
  EXPECT_TRUE(std::isnan(cosh_mass(1, 2, 2, 16)));
  EXPECT_TRUE(std::isnan(cosh_mass(2, 1, 12, 16)));
  EXPECT_TRUE(std::isnan(cosh_mass(2, -1, 2, 16)));
  EXPECT_TRUE(std::isnan(cosh_mass(2, 0, 2, 16)));
}

TEST(EffectiveMass, Folded) {
  const std::vector<double> c{10, 6, 3, 2, 5, 7};
  EXPECT_EQ(folded(c), (std::vector<double>{10, 6.5, 4, 2}));
}

}  // namespace
}  // namespace trellis::analysis
