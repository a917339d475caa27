// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A system whose answers are known: s has the density s^(k-1) exp(-beta s), as the potential energy of 2k harmonic
// oscillators has. Then <s> = k / beta, var(s) = k / beta^2 and f = -log Z = k log(beta) up to a constant.
#include "trellis/analysis/reweighting.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

constexpr double k = 50;

ReweightingRun run(double beta, int count, std::mt19937_64& random, int repeated = 1) {
  std::gamma_distribution<double> distribution(k, 1 / beta);
  ReweightingRun out{.coupling = beta, .action = {}, .tau_int = 0.5 * repeated};
  for (int n = 0; n < count; ++n) out.action.insert(out.action.end(), std::size_t(repeated), distribution(random));
  return out;
}

ReweightedMeans action_at(double beta, const std::vector<ReweightingRun>& runs) {
  const Reweighting reweighting(runs);
  std::vector<ReweightedSeries> series;
  for (const auto& one : runs) {
    auto squares = one.action;
    for (double& s : squares) s *= s;
    series.push_back({.action = one.action,
                      .observables = {one.action, squares},
                      .tau_int = one.tau_int,
                      .weight = 1 / (2 * one.tau_int)});
  }
  return ReweightedAverages(reweighting, series)(beta);
}

TEST(Reweighting, FindsFreeEnergiesAndAverages) {
  std::mt19937_64 random(1);
  const std::vector<ReweightingRun> runs{run(5.0, 20000, random), run(6.0, 20000, random), run(5.5, 20000, random)};
  const Reweighting reweighting(runs);
  EXPECT_EQ(reweighting.couplings(), (Series{5.0, 5.5, 6.0}));
  EXPECT_GT(reweighting.overlap(), 0.5);
  const auto f = reweighting.free_energies();
  EXPECT_EQ(f[0], 0);
  EXPECT_NEAR(f[1], k * std::log(5.5 / 5), 0.02);
  EXPECT_NEAR(f[2], k * std::log(6.0 / 5), 0.03);
  for (const double beta : {4.9, 5.25, 5.8, 6.1}) {
    const auto at = action_at(beta, runs);
    EXPECT_NEAR(at.means[0], k / beta, 0.03) << beta;
    EXPECT_NEAR(at.means[1] - at.means[0] * at.means[0], k / beta / beta, 0.05) << beta;
  }
}

// The equations that define the free energies, one by one.
TEST(Reweighting, FreeEnergiesSolveTheirEquations) {
  std::mt19937_64 random(2);
  const std::vector<ReweightingRun> runs{run(5.0, 3000, random), run(5.5, 1000, random, 3), run(6.0, 500, random)};
  const Reweighting reweighting(runs);
  const auto f = reweighting.free_energies();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    double sum = 0;
    for (const auto& one : runs)
      for (const double s : one.action) {
        double denominator = 0;
        for (std::size_t j = 0; j < runs.size(); ++j)
          denominator += double(runs[j].action.size()) / (2 * runs[j].tau_int) *
                         std::exp(f[j] - f[i] - (runs[j].coupling - runs[i].coupling) * s);
        sum += 1 / (2 * one.tau_int) / denominator;
      }
    EXPECT_NEAR(sum, 1, 1e-9) << i;
  }
}

// 200 samples: the difference from the exact answer, in units of the error that a jackknife over bins gives, has mean
// 0 and variance 1.
TEST(Reweighting, PullsAreStandardNormal) {
  std::mt19937_64 random(3);
  constexpr int samples = 200, bins = 20;
  constexpr double beta = 5.2;
  double sum = 0, squares = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const std::vector<ReweightingRun> runs{run(5.0, 400, random), run(5.4, 200, random)};
    Series left_out;
    for (int bin = 0; bin < bins; ++bin) {
      auto rest = runs;
      for (auto& one : rest) {
        const auto length = std::ptrdiff_t(one.action.size()) / bins;
        one.action.erase(one.action.begin() + bin * length, one.action.begin() + (bin + 1) * length);
      }
      left_out.push_back(action_at(beta, rest).means[0]);
    }
    const double pull = (action_at(beta, runs).means[0] - k / beta) / jackknife_error(left_out);
    sum += pull;
    squares += pull * pull;
  }
  EXPECT_NEAR(sum / samples, 0, 4 / std::sqrt(double(samples)));
  EXPECT_NEAR(squares / samples, 1, 0.4);
}

TEST(Reweighting, OneRunIsWorthItsMeasurementsAtItsOwnCoupling) {
  std::mt19937_64 random(4);
  const std::vector<ReweightingRun> runs{run(5.0, 500, random, 4)};
  EXPECT_EQ(Reweighting(runs).overlap(), 1);
  const auto here = action_at(5.0, runs), there = action_at(5.3, runs);
  EXPECT_NEAR(here.effective_count, 500, 1e-9);
  // <w>^2 / <w^2> = Z(beta')^2 / (Z(beta) Z(2 beta' - beta))
  EXPECT_NEAR(there.effective_count, 500 * std::pow(5.0 * 5.6 / (5.3 * 5.3), k), 15);
}

// An observable measured on every third configuration of one of the runs.
TEST(Reweighting, ObservablesMayBeMeasuredLessOften) {
  std::mt19937_64 random(7);
  const std::vector<ReweightingRun> runs{run(5.0, 30000, random), run(5.4, 30000, random)};
  std::vector<ReweightedSeries> series;
  for (const auto& one : runs) series.push_back({.action = one.action, .observables = {one.action}});
  auto& few = series[1];
  few.weight = 3;
  few.action.clear();
  for (std::size_t n = 0; n < runs[1].action.size(); n += 3) few.action.push_back(runs[1].action[n]);
  few.observables[0] = few.action;
  const auto at = ReweightedAverages(Reweighting(runs), series)(5.2);
  EXPECT_NEAR(at.means[0], k / 5.2, 0.04);
  EXPECT_LT(at.effective_count, 45000);
}

// Two runs at one coupling are a single one.
TEST(Reweighting, ReplicaArePooled) {
  std::mt19937_64 random(5);
  const auto a = run(5.0, 300, random), b = run(5.0, 200, random), c = run(5.4, 300, random);
  auto both = a;
  both.action.insert(both.action.end(), b.action.begin(), b.action.end());
  EXPECT_NEAR(action_at(5.2, {a, b, c}).means[0], action_at(5.2, {both, c}).means[0], 1e-9);
}

TEST(Reweighting, RefusesRunsThatDoNotOverlap) {
  std::mt19937_64 random(6);
  for (const double far : {12.0, 20.0}) {
    try {
      Reweighting(std::vector{run(5.0, 500, random), run(far, 500, random)});
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the runs at 5 and"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(Reweighting(std::vector<ReweightingRun>{}), Error);
  EXPECT_THROW(Reweighting(std::vector{ReweightingRun{.coupling = 5, .action = {}}}), Error);
}

}  // namespace
}  // namespace trellis::analysis
