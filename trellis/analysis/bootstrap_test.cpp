// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

double first(std::span<const double> means) { return means[0]; }

Series normal(int count, std::mt19937_64& random) {
  std::normal_distribution<double> distribution(3, 2);
  Series out;
  for (int i = 0; i < count; ++i) out.push_back(distribution(random));
  return out;
}

// For means, jackknife and bootstrap estimate the same variance, that of the bins.
TEST(Bootstrap, AgreesWithTheJackknifeForAMean) {
  std::mt19937_64 random(1);
  const std::vector<Series> series{normal(1000, random)};
  const auto b = bootstrap(first, series, 50, 20000);
  const auto j = jackknife(first, series, 50);
  EXPECT_NEAR(b.value, gamma_method(series[0]).mean, 1e-13);
  // The standard deviation of 20,000 samples is known to 0.5 %.
  EXPECT_NEAR(b.error, j.error, 0.03 * j.error);
}

TEST(Bootstrap, OfANonlinearFunctionHasTheErrorOfItsSlope) {
  std::mt19937_64 random(2);
  const std::vector<Series> series{normal(4000, random), normal(4000, random)};
  const auto ratio = [](std::span<const double> m) { return m[0] / m[1]; };
  const double expected = 2.0 / 3 * std::sqrt(2.0 / 4000);
  EXPECT_NEAR(bootstrap(ratio, series, 200, 4000).error, expected, 0.15 * expected);
}

// Bins as long as the correlation see the true error of a series in which each number is repeated ten times.
TEST(Bootstrap, BinsMustBeLongerThanTheCorrelation) {
  std::mt19937_64 random(3);
  Series repeated;
  for (const double x : normal(400, random)) repeated.insert(repeated.end(), 10, x);
  const std::vector<Series> series{repeated};
  EXPECT_NEAR(bootstrap(first, series, 400).error, 2 / std::sqrt(400.0), 0.015);
  EXPECT_LT(bootstrap(first, series, 4000).error, 0.04);
}

TEST(Bootstrap, TheDrawsDependOnlyOnTheSeed) {
  std::mt19937_64 random(4);
  const std::vector<Series> series{normal(100, random)};
  EXPECT_EQ(resampled(series, 10, 5, 7), resampled(series, 10, 5, 7));
  EXPECT_NE(resampled(series, 10, 5, 7), resampled(series, 10, 5, 8));
}

TEST(Bootstrap, RefusesImpossibleBins) {
  const std::vector<Series> series{Series(10, 1.0)};
  EXPECT_THROW(bootstrap(first, series, 1), Error);
  EXPECT_THROW(bootstrap(first, series, 11), Error);
  EXPECT_THROW(bootstrap(first, series, 5, 1), Error);
  EXPECT_THROW(bootstrap(first, std::vector<Series>{Series(10, 1.0), Series(9, 1.0)}, 5), Error);
}

}  // namespace
}  // namespace trellis::analysis
