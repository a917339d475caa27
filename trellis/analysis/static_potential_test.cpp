// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/static_potential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

constexpr double constant = 0.63, alpha = 0.29, sigma = 0.046;

double potential(double r) { return constant - alpha / r + sigma * r; }

// A ground state and an excited one, with noise that all loops of a configuration share and noise of their own.
std::vector<LoopsAtDistance> ensemble(int configurations, double noise, double excited, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<LoopsAtDistance> all;
  for (const double r : {3.0, 1.0, std::sqrt(2.0), 2.0, 2 * std::sqrt(2.0), 4.0, 5.0}) all.push_back({r, {}});
  for (int n = 0; n < configurations; ++n) {
    const double common = 1 + noise * normal(engine);
    for (auto& at : all) {
      Series w;
      for (int t = 1; t <= 7; ++t)
        w.push_back((common + 0.3 * noise * normal(engine)) *
                    (std::exp(-potential(at.distance) * t) +
                     excited * at.distance * std::exp(-(potential(at.distance) + 1.3) * t)));
      at.loops.push_back(w);
    }
  }
  return all;
}

TEST(StaticPotential, WithHardlyAnyNoiseIsTheFormula) {
  const auto found = static_potential(ensemble(20, 1e-6, 0, 1), {});
  ASSERT_EQ(found.times.size(), 6u);
  EXPECT_EQ(found.distances.front(), 1);
  EXPECT_EQ(found.distances.back(), 5);
  for (const auto& at : found.times) {
    for (std::size_t k = 0; k < found.distances.size(); ++k)
      EXPECT_NEAR(at.potential[k], potential(found.distances[k]), 1e-5);
    ASSERT_TRUE(at.fit) << at.problem;
    EXPECT_NEAR(at.fit->constant, constant, 1e-4);
    EXPECT_NEAR(at.fit->alpha, alpha, 1e-4);
    EXPECT_NEAR(at.fit->sigma, sigma, 1e-4);
    EXPECT_NEAR(at.fit->r0, std::sqrt((1.65 - alpha) / sigma), 1e-2);
    EXPECT_NEAR(at.fit->first, std::sqrt(2.0), 1e-12);  // without neighbours
    EXPECT_EQ(at.fit->last, 5);
  }
  EXPECT_EQ(found.at_time(3)->time, 3);
  EXPECT_EQ(found.at_time(7), nullptr);
}

TEST(StaticPotential, ErrorsCoverTheTruthOnceExcitedStatesAreGone) {
  const auto found = static_potential(ensemble(400, 1e-2, 0.1, 2), {});
  ASSERT_TRUE(found.chosen);
  const auto& fit = *found.times[std::size_t(*found.chosen)].fit;
  EXPECT_GT(found.times[std::size_t(*found.chosen)].time, 1);
  EXPECT_NEAR(fit.r0, std::sqrt((1.65 - alpha) / sigma), 4 * fit.r0_error);
  EXPECT_LT(fit.r0_error, 0.05 * fit.r0);
  EXPECT_GT(fit.probability, 1e-3);
  // At first excited states raise the potential.
  EXPECT_GT(found.times[0].potential[3], potential(found.distances[3]) + 5 * found.times[0].errors[3]);
}

TEST(StaticPotential, FitsTheDistancesThatAreAsked) {
  const auto found = static_potential(ensemble(50, 1e-3, 0, 3), {.first = 1, .last = 4, .bins = 25});
  EXPECT_EQ(found.bins, 25);
  ASSERT_TRUE(found.times[0].fit);
  EXPECT_EQ(found.times[0].fit->first, 1);
  EXPECT_EQ(found.times[0].fit->last, 4);
  EXPECT_EQ(found.times[0].fit->degrees, 3);
  EXPECT_FALSE(static_potential(ensemble(50, 1e-3, 0, 3), {.first = 4}).times[0].fit);
}

TEST(StaticPotential, LoopsInNoiseAreLeftOut) {
  auto loops = ensemble(40, 1e-3, 0, 4);
  for (std::size_t n = 0; n < loops[0].loops.size(); ++n) loops[0].loops[n][3] = n % 2 == 0 ? 1e-3 : -1.1e-3;
  const auto found = static_potential(loops, {});
  EXPECT_TRUE(std::isnan(found.at_time(3)->potential[4]));  // distance 3, the fifth in order
  EXPECT_TRUE(found.at_time(3)->fit);
  EXPECT_TRUE(std::isfinite(found.at_time(1)->potential[4]));
}

TEST(StaticPotential, TooLittleIsAnError) {
  EXPECT_THROW(static_potential({}, {}), Error);
  EXPECT_THROW(static_potential(ensemble(5, 1e-3, 0, 5), {}), Error);
  EXPECT_THROW(static_potential({{1, std::vector(8, Series{0.5})}}, {}), Error);
  auto different = ensemble(8, 1e-3, 0, 6);
  different[2].loops.pop_back();
  EXPECT_THROW(static_potential(different, {}), Error);
}

}  // namespace
}  // namespace trellis::analysis
