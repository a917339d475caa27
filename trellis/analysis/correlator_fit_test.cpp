// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/correlator_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

constexpr int extent = 24;
constexpr double mass = 0.4, gap = 0.9;

double around(double m, int t) { return std::exp(-m * t) + std::exp(-m * (extent - t)); }

// Folded correlators of a ground state plus an excited state of relative amplitude `excited`, with noise common to all
// times and noise correlated between neighbouring times.
std::vector<Series> ensemble(int configurations, double excited, double noise, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<Series> all;
  for (int n = 0; n < configurations; ++n) {
    const double amplitude = 1 + noise * normal(engine);
    double walk = 0;
    Series c;
    for (int t = 0; t < extent; ++t) {
      walk = 0.8 * walk + normal(engine);
      c.push_back((amplitude + noise * walk) * (around(mass, t) + excited * around(mass + gap, t)));
    }
    all.push_back(folded(c));
  }
  return all;
}

TEST(CorrelatorFit, FindsTheMass) {
  const auto c = ensemble(200, 0.3, 0.02, 1);
  for (const auto model : {CorrelatorModel::cosh, CorrelatorModel::two_states}) {
    const auto result = fit_correlator(c, {.model = model, .extent = extent});
    EXPECT_NEAR(result.mass, mass, 4 * result.error);
    EXPECT_LT(result.error, 0.01);
    double weights = 0;
    for (const auto& r : result.ranges) weights += r.weight;
    EXPECT_NEAR(weights, 1, 1e-12);
  }
}

// The average recognises where the excited state contributes: ranges that begin at t = 0 or 1 get almost no
// weight.
// Noise that is common to all times makes chi^2 of a model that does not describe the data a function of the mass with
// several minima.
TEST(CorrelatorFit, FindsTheLowestOfSeveralMinima) {
  constexpr int short_extent = 8, bins = 20, first = 2, last = 4, points = last - first + 1;
  const CorrelatorShape shape{CorrelatorModel::cosh, short_extent, true};
  const Model model = shape.function();
  const Series x{2, 3, 4};
  const auto of_mass = [](double m, int t) { return std::exp(-m * t) + std::exp(-m * (short_extent - t)); };
  int misled = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<Series> by_time(last + 2);
    for (int b = 0; b < bins; ++b) {
      const double common = 1 + 0.05 * normal(engine), slope = 0.02 * normal(engine);
      for (int t = 0; t < last + 2; ++t)
        by_time[std::size_t(t)].push_back((common + slope * t + 0.002 * normal(engine)) *
                                          (of_mass(2.1, t) + 5 * of_mass(3.4, t)));
    }
    const auto samples_of_all = leave_one_out(by_time, bins);
    Series all, means;
    for (const Series& one : by_time) all.push_back(gamma_method(one).mean);
    means.assign(all.begin() + first, all.begin() + last + 1);
    std::vector<Series> samples;
    for (const Series& s : samples_of_all) samples.emplace_back(s.begin() + first, s.begin() + last + 1);
    const Covariance covariance = jackknife_covariance(samples, 0);

    // The best amplitude of each mass is known in closed form.
    double lowest = HUGE_VAL;
    for (double m = 0.05; m < 8; m += 0.0005) {
      Series state;
      for (const double t : x) state.push_back(of_mass(m, int(t)));
      const Series a = covariance.whitened(state), y = covariance.whitened(means);
      const double amplitude = std::inner_product(a.begin(), a.end(), y.begin(), 0.0) /
                               std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
      double chi2 = 0;
      for (std::size_t i = 0; i < a.size(); ++i) chi2 += std::pow(y[i] - amplitude * a[i], 2);
      lowest = std::min(lowest, chi2);
    }
    const auto guesses = shape.first_guesses(all, first, last);
    const auto found = jackknife_fit(model, x, means, samples, 0, guesses, shape.amplitudes());
    constexpr double factor = (bins - 2.0 - (points - 2)) / (bins - 1);  // of the mean, see JackknifeFit
    EXPECT_LE(found.best.chi2 / factor, lowest * 1.0001 + 1e-9) << seed;
    try {
      misled += fit(model, x, means, covariance, guesses[0]).chi2 > 1.01 * lowest ? 1 : 0;
    } catch (const Error&) {
      ++misled;
    }
  }
  EXPECT_GT(misled, 0);  // so that this can fail
}

TEST(CorrelatorFit, AvoidsExcitedStates) {
  const auto result = fit_correlator(ensemble(400, 0.5, 0.01, 2), {.extent = extent, .first = 0});
  double early = 0;
  for (const auto& r : result.ranges)
    if (r.first <= 1) early += r.weight;
  EXPECT_LT(early, 1e-3);
  EXPECT_NEAR(result.mass, mass, 4 * result.error);
}

// For a single range the pulls are standard normal; for the average the error also includes the spread over ranges, so
// it is larger.
TEST(CorrelatorFit, PullsOfAThousandEnsemblesHaveTheRightSize) {
  constexpr int ensembles = 1000;
  double pull = 0, pull2 = 0, average2 = 0, statistical2 = 0;
  for (int n = 0; n < ensembles; ++n) {
    const auto result = fit_correlator(ensemble(200, 0, 0.02, 100 + unsigned(n)),
                                       {.extent = extent, .first = 4, .last = 7, .bins = 50});
    const auto whole = std::find_if(result.ranges.begin(), result.ranges.end(),
                                    [](const RangeFit& r) { return r.first == 4 && r.last == 7; });
    ASSERT_NE(whole, result.ranges.end());
    const double x = (whole->mass - mass) / whole->error, y = (result.mass - mass) / result.error;
    pull += x / ensembles;
    pull2 += x * x / ensembles;
    average2 += y * y / ensembles;
    statistical2 += std::pow((result.mass - mass) / result.statistical, 2) / ensembles;
  }
  EXPECT_NEAR(pull, 0, 0.15);
  EXPECT_NEAR(pull2, 1, 0.2);
  EXPECT_GT(statistical2, 0.8);
  EXPECT_LT(average2, 1.1);
  EXPECT_GT(average2, 0.6);
}

// A range of 6 times, from chains with and without autocorrelation that leave 20, 40 and 20 bins.
TEST(CorrelatorFit, FewBinsAndAutocorrelationAreAccountedFor) {
  constexpr int ensembles = 400, times = 6;
  const std::pair<double, int> cases[] = {{0.5, 20}, {2, 800}, {5, 400}};
  for (const auto& [tau, configurations] : cases) {
    const double a = (2 * tau - 1) / (2 * tau + 1);
    double error2 = 0, scatter2 = 0;
    int below = 0;
    for (unsigned n = 0; n < ensembles; ++n) {
      std::mt19937_64 engine(700 + n);
      std::normal_distribution<double> normal;
      Series noise(times);
      for (double& one : noise) one = normal(engine);
      std::vector<Series> all;
      for (int k = 0; k < configurations; ++k) {
        Series c;
        for (std::size_t t = 0; t < times; ++t) {
          noise[t] = a * noise[t] + std::sqrt(1 - a * a) * normal(engine);
          c.push_back((1 + 0.02 * (noise[t] + 0.7 * noise[t == 0 ? t : t - 1])) * std::exp(-0.3 * double(t)));
        }
        all.push_back(std::move(c));
      }
      const auto found = fit_correlator(
          all, {.model = CorrelatorModel::exponential, .extent = 2 * times, .first = 0, .last = times - 1});
      const auto whole = std::ranges::find_if(found.ranges, [](const RangeFit& r) { return r.degrees == times - 2; });
      ASSERT_NE(whole, found.ranges.end());
      error2 += whole->error * whole->error / ensembles;
      scatter2 += std::pow(whole->mass - 0.3, 2) / ensembles;
      below += whole->probability < 0.05;
    }
    EXPECT_NEAR(std::sqrt(error2 / scatter2), 1, 0.1) << tau;
    EXPECT_LT(double(below) / ensembles, 0.1) << tau;
  }
}

// A state, and a partner of the other parity that alternates.
std::vector<Series> staggered(int configurations, bool baryon, double partner, double noise, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<Series> all;
  for (int n = 0; n < configurations; ++n) {
    const double amplitude = 1 + noise * normal(engine);
    double walk = 0;
    Series c;
    for (int t = 0; t < extent; ++t) {
      walk = 0.8 * walk + normal(engine);
      const double sign = t % 2 == 0 ? 1 : -1;
      const auto state = [&](double m) {
        return std::exp(-m * t) + (baryon ? -sign : 1) * std::exp(-m * (extent - t));
      };
      c.push_back((amplitude + noise * walk) * (state(mass) + sign * partner * state(0.65)));
    }
    all.push_back(baryon ? alternately_folded(c, true) : folded(c));
  }
  return all;
}

// As above, for one range of both staggered models: pulls of the mass and of its partner. 300 squares of normal numbers
// have a mean of 1 +- 0.08.
TEST(CorrelatorFit, PullsOfStaggeredStatesHaveTheRightSize) {
  constexpr int ensembles = 300;
  for (const bool baryon : {false, true}) {
    double pull = 0, pull2 = 0, partner = 0, partner2 = 0;
    for (int n = 0; n < ensembles; ++n) {
      const auto result =
          fit_correlator(staggered(100, baryon, 0.4, 0.003, 5000 + unsigned(n)),
                         {.model = baryon ? CorrelatorModel::staggered_baryon : CorrelatorModel::staggered_meson,
                          .extent = extent,
                          .first = 2,
                          .last = 6,
                          .bins = 100});
      ASSERT_EQ(result.ranges.size(), 1U);
      const auto& whole = result.ranges.front();
      const double x = (whole.mass - mass) / whole.error, y = (whole.partner - 0.65) / whole.partner_error;
      pull += x / ensembles;
      pull2 += x * x / ensembles;
      partner += y / ensembles;
      partner2 += y * y / ensembles;
    }
    EXPECT_NEAR(pull, 0, 0.2) << baryon;
    EXPECT_NEAR(pull2, 1, 0.25) << baryon;
    EXPECT_NEAR(partner, 0, 0.2) << baryon;
    EXPECT_NEAR(partner2, 1, 0.25) << baryon;
  }
}

// The average over all ranges; amplitudes of either sign, a partner that is weaker than the noise at late times.
TEST(CorrelatorFit, FindsStaggeredStates) {
  for (const bool baryon : {false, true})
    for (const double amplitude : {1.5, 0.3, -0.3, -10.0}) {
      const auto model = baryon ? CorrelatorModel::staggered_baryon : CorrelatorModel::staggered_meson;
      const auto result =
          fit_correlator(staggered(200, baryon, amplitude, 0.003, 12), {.model = model, .extent = extent});
      EXPECT_NEAR(result.mass, mass, 4 * result.error) << baryon << amplitude;
      EXPECT_LT(result.error, 0.01) << baryon << amplitude;
      EXPECT_NEAR(result.partner, 0.65, 4 * result.partner_error) << baryon << amplitude;
      EXPECT_LT(result.partner_error, 0.05) << baryon << amplitude;
    }
  EXPECT_TRUE(std::isnan(fit_correlator(ensemble(50, 0, 0.02, 1), {.extent = extent}).partner));
}

// Where nothing goes around the lattice, at all times.
TEST(CorrelatorFit, FindsStaggeredStatesBetweenBoundaries) {
  for (const double amplitude : {1.5, -0.4}) {
    std::vector<Series> all;
    std::mt19937_64 engine(8);
    std::normal_distribution<double> normal;
    for (int n = 0; n < 200; ++n) {
      Series c;
      double walk = 0;
      for (int t = 0; t < extent; ++t) {
        walk = 0.8 * walk + normal(engine);
        c.push_back((amplitude + 0.003 * walk) *
                    (std::exp(-mass * t) + (t % 2 == 0 ? 0.5 : -0.5) * std::exp(-0.65 * t)));
      }
      all.push_back(std::move(c));
    }
    const auto result = fit_correlator(
        all, {.model = CorrelatorModel::staggered_exponential, .extent = extent, .first = 1, .last = extent - 1});
    EXPECT_EQ(result.ranges.back().last, extent - 1);
    EXPECT_NEAR(result.mass, mass, 4 * result.error) << amplitude;
    EXPECT_LT(result.error, 0.01) << amplitude;
    EXPECT_NEAR(result.partner, 0.65, 4 * result.partner_error) << amplitude;
    EXPECT_LT(result.partner_error, 0.05) << amplitude;
  }
}

TEST(CorrelatorFit, OfAnExponentialAndOfAConstant) {
  std::vector<Series> c, flat;
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 100; ++n) {
    Series one, two;
    for (int t = 0; t < extent; ++t) {
      one.push_back(-3 * std::exp(-mass * t) * (1 + 0.01 * normal(engine)));
      two.push_back(0.25 + 0.01 * normal(engine));
    }
    c.push_back(one);
    flat.push_back(two);
  }
  const auto falling = fit_correlator(c, {.model = CorrelatorModel::exponential, .extent = extent, .last = 12});
  EXPECT_NEAR(falling.mass, mass, 4 * falling.error);
  EXPECT_LT(falling.ranges.front().amplitude, 0);
  const auto constant = fit_correlator(flat, {.model = CorrelatorModel::constant, .extent = extent});
  EXPECT_NEAR(constant.mass, 0.25, 4 * constant.error);
}

// Bins are longer than the autocorrelation time, so the error is that of independent numbers.
TEST(CorrelatorFit, BinsWhatIsAutocorrelated) {
  const auto independent = ensemble(100, 0, 0.02, 7);
  std::vector<Series> repeated;
  for (const auto& c : independent)
    for (int k = 0; k < 10; ++k) repeated.push_back(c);
  const CorrelatorFitParameters parameters{.extent = extent, .first = 3, .last = 9};
  const auto honest = fit_correlator(independent, parameters), found = fit_correlator(repeated, parameters);
  EXPECT_LE(found.bins, 100);
  EXPECT_NEAR(found.error / honest.error, 1, 0.5);
}

TEST(CorrelatorFit, FewBinsShrinkTheCovarianceAndSaySo) {
  const auto c = ensemble(10, 0, 0.02, 4);
  const auto result = fit_correlator(c, {.extent = extent});
  EXPECT_GT(result.shrinkage, 0);
  EXPECT_NEAR(result.mass, mass, 5 * result.error);
  EXPECT_EQ(fit_correlator(ensemble(200, 0, 0.02, 4), {.extent = extent}).shrinkage, 0);
}

TEST(CorrelatorFit, SaysWhatCannotBeFitted) {
  EXPECT_THROW(fit_correlator(ensemble(5, 0, 0.02, 1), {.extent = extent}), Error);
  EXPECT_THROW(fit_correlator(ensemble(50, 0, 0.02, 1), {.extent = extent, .bins = 5}), Error);
  EXPECT_THROW(fit_correlator(ensemble(50, 0, 0.02, 1), {.extent = extent, .bins = 51}), InputError);
  EXPECT_GT(fit_correlator(ensemble(50, 0, 0.02, 1), {.extent = extent, .bins = 6}).error, 0);
  // Numbers that hardly change from one to the next: the autocorrelation would leave fewer bins.
  auto slow = ensemble(12, 0, 0.02, 1);
  for (std::size_t n = 0; n < slow.size(); ++n) slow[n] = slow[n / 4 * 4];
  EXPECT_EQ(fit_correlator(slow, {.extent = extent}).bins, 6);
  EXPECT_THROW(fit_correlator(ensemble(50, 0, 0.02, 1), {.extent = extent, .first = 11}), Error);
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal;
  std::vector<Series> noise(20, Series(13));
  for (Series& c : noise)
    for (double& x : c) x = normal(engine);
  EXPECT_THROW(fit_correlator(noise, {.extent = extent}), Error);
}

}  // namespace
}  // namespace trellis::analysis
