// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

constexpr int points = 8;

// Neighbouring points share noise: y_i = truth + sigma_i (n_i + n_{i+1}) / sqrt(2), so C_ij is known.
struct Problem {
  Series x, truth, sigma;
  std::mt19937_64 engine{5};
  std::normal_distribution<double> noise;

  Problem() {
    for (int i = 0; i < points; ++i) {
      x.push_back(0.5 * i);
      truth.push_back(2 * std::exp(-0.7 * x.back()) + 0.3);
      sigma.push_back(0.02 + 0.002 * i);
    }
  }
  static double model(double x, std::span<const double> p) { return p[0] * std::exp(-p[1] * x) + p[2]; }
  Series sample() {
    Series y = truth;
    double last = noise(engine);
    for (int i = 0; i < points; ++i) {
      const double next = noise(engine);
      y[std::size_t(i)] += sigma[std::size_t(i)] * (last + next) / std::sqrt(2);
      last = next;
    }
    return y;
  }
  Covariance covariance() const {
    Series c(points * points);
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < points; ++j)
        c[std::size_t(i * points + j)] = sigma[std::size_t(i)] * sigma[std::size_t(j)] *
                                         (i == j                 ? 1
                                          : std::abs(i - j) == 1 ? 0.5
                                                                 : 0);
    return {points, c};
  }
};

TEST(Fit, FindsExactNumbers) {
  const Problem problem;
  const Fit result = fit(Problem::model, problem.x, problem.truth, problem.covariance(), {1, 1, 0});
  EXPECT_NEAR(result.parameters[0], 2, 1e-8);
  EXPECT_NEAR(result.parameters[1], 0.7, 1e-8);
  EXPECT_NEAR(result.parameters[2], 0.3, 1e-8);
  EXPECT_LT(result.chi2, 1e-12);
  EXPECT_EQ(result.degrees, points - 3);
}

// A straight line has a closed-form solution: the normal equations with the inverse covariance.
TEST(Fit, OfALineIsTheClosedForm) {
  const Series x{0, 1, 3}, y{1.1, 1.9, 4.2};
  const Covariance c(3, {0.04, 0.01, 0, 0.01, 0.09, 0.02, 0, 0.02, 0.16});
  const Fit result = fit([](double t, std::span<const double> p) { return p[0] + p[1] * t; }, x, y, c, {0, 0});
  // (X^T C^-1 X)^-1 X^T C^-1 y as fractions.
  EXPECT_NEAR(result.parameters[0], 472.0 / 445, 1e-8);
  EXPECT_NEAR(result.parameters[1], 454.0 / 445, 1e-8);
  EXPECT_NEAR(result.errors[0], std::sqrt(331.0 / 8900), 1e-8);
  EXPECT_NEAR(result.errors[1], std::sqrt(39.0 / 1780), 1e-8);
  EXPECT_NEAR(result.chi2, 49.0 / 89, 1e-8);
}

TEST(Fit, PullsOfAThousandSamplesAreStandardNormal) {
  Problem problem;
  const Covariance covariance = problem.covariance();
  const double truth[] = {2, 0.7, 0.3};
  constexpr int samples = 1000;
  double mean[3] = {}, square[3] = {}, probability = 0, probability2 = 0;
  int below = 0;
  for (int s = 0; s < samples; ++s) {
    const Fit result = fit(Problem::model, problem.x, problem.sample(), covariance, {1, 1, 0});
    for (std::size_t k = 0; k < 3; ++k) {
      const double pull = (result.parameters[k] - truth[k]) / result.errors[k];
      mean[k] += pull / samples;
      square[k] += pull * pull / samples;
    }
    probability += result.probability / samples;
    probability2 += result.probability * result.probability / samples;
    below += result.probability < 0.1;
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(mean[k], 0, 0.15) << k;
    EXPECT_NEAR(square[k], 1, 0.2) << k;
  }
  // Uniformly distributed: mean 1/2 +- 0.009, mean square 1/3, one tenth below 0.1.
  EXPECT_NEAR(probability, 0.5, 0.04);
  EXPECT_NEAR(probability2, 1.0 / 3, 0.04);
  EXPECT_NEAR(double(below) / samples, 0.1, 0.03);
}

// A covariance estimated from few bins: errors agree with the scatter of the parameters, whatever the shrinkage, and
// the probability of a larger chi^2 is uniform without shrinkage, too large with.
TEST(JackknifeFit, ErrorsHaveTheRightSize) {
  Problem problem;
  const Model line = [](double x, std::span<const double> p) { return p[0] + p[1] * x; };
  const std::vector<Series> starts{{0, 0}};
  const std::pair<int, double> cases[] = {{16, 0}, {20, 0}, {50, 0}, {12, 0.25}, {7, 1}};
  for (const auto& [bins, shrinkage] : cases) {
    constexpr int times = 1000;
    double error2 = 0, scatter2 = 0, chi2 = 0;
    int below = 0;
    for (int n = 0; n < times; ++n) {
      std::vector<Series> series(points);
      for (int b = 0; b < bins; ++b) {
        const Series y = problem.sample();
        for (std::size_t i = 0; i < points; ++i) series[i].push_back(y[i] - problem.truth[i]);
      }
      Series means;
      for (const Series& one : series) means.push_back(gamma_method(one).mean);
      const auto found = jackknife_fit(line, problem.x, means, leave_one_out(series, bins), shrinkage, starts);
      error2 += found.best.errors[1] * found.best.errors[1] / times;
      scatter2 += found.best.parameters[1] * found.best.parameters[1] / times;
      chi2 += found.best.chi2 / times;
      below += found.best.probability < 0.05;
    }
    EXPECT_NEAR(std::sqrt(error2 / scatter2), 1, 0.08) << bins << " " << shrinkage;
    if (shrinkage == 0) {
      EXPECT_NEAR(chi2, points - 2, 0.5) << bins;
      EXPECT_NEAR(double(below) / times, 0.05, 0.025) << bins;
    } else {
      EXPECT_LT(double(below) / times, 0.05) << bins;
    }
  }
}

TEST(Fit, SaysWhatCannotBe) {
  const Series x{0, 1, 2}, y{1, 2, 3};
  const Covariance c(3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const auto line = [](double t, std::span<const double> p) { return p[0] + p[1] * t; };
  EXPECT_THROW(fit(line, x, y, c, {0, 0, 0, 0}), Error);
  EXPECT_THROW(fit([](double, std::span<const double> p) { return p[0] + p[1]; }, x, y, c, {0, 0}), Error);
  EXPECT_THROW(fit([](double, std::span<const double>) { return std::nan(""); }, x, y, c, {0}), Error);
  // At a kink derivatives promise what no step keeps.
  EXPECT_THROW(
      fit([](double, std::span<const double> p) { return p[0] < 0 ? -2 * p[0] : p[0]; }, x, Series{-1, -1, -1}, c, {0}),
      Error);
  EXPECT_THROW(Covariance(2, {1, 1, 1, 1}), Error);
  EXPECT_THROW(Covariance(2, {1, 0, 0}), Error);
  EXPECT_THROW(jackknife_covariance(std::vector<Series>{{1, 2, 3}, {2, 3, 5}, {1, 1, 1}}, 0), Error);
  EXPECT_NO_THROW(jackknife_covariance(std::vector<Series>{{1, 2, 3}, {2, 3, 5}, {1, 1, 1}}, 0.5));
  const std::vector<Series> samples{{1, 2, 3}, {2, 3, 5}, {1, 1, 1}, {0, 2, 1}}, starts{{0, 0}};
  EXPECT_THROW(jackknife_fit(line, x, y, samples, 0, starts), Error);
  EXPECT_NO_THROW(jackknife_fit(line, x, y, samples, 0.5, starts));
  EXPECT_THROW(jackknife_fit(line, x, y, samples, 0.5, {}), Error);
}

}  // namespace
}  // namespace trellis::analysis
