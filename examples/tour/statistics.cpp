// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// From series of numbers to results with errors: the Gamma method, a function of means, the jackknife and the
// bootstrap, effective masses, fits, reweighting. The series is generated here with a known autocorrelation time: x' =
// a x + noise has tau_int = (1 + a) / (1 - a) / 2.
#include <array>
#include <cmath>
#include <vector>

#include "examples/tour/tour.hpp"
#include "trellis/analysis/bootstrap.hpp"
#include "trellis/analysis/correlator_fit.hpp"
#include "trellis/analysis/effective_mass.hpp"
#include "trellis/analysis/fit.hpp"
#include "trellis/analysis/reweighting.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/core/random.hpp"

using namespace trellis;

namespace {

constexpr double a = 0.8, tau = (1 + a) / (1 - a) / 2;

std::vector<double> autocorrelated_series(int length) {
  const RandomStream stream{.seed = 5, .trajectory = 0, .purpose = RandomPurpose::test};
  std::vector<double> series;
  double x = 0;
  for (int n = 0; n < length; ++n) {
    double noise = 0, other = 0;
    normal_lanes(stream, std::array{n}, 0, noise, other);
    x = a * x + std::sqrt(1 - a * a) * noise;  // variance 1
    series.push_back(3 + x);
  }
  return series;
}

void means() {
  const std::vector<double> series = autocorrelated_series(40000);
  const analysis::MeanEstimate mean = analysis::gamma_method(series);
  fmt::print("mean {}, tau_int {} (exact: 3 and {})\n", analysis::with_error(mean.mean, mean.error),
             analysis::with_error(mean.tau_int, mean.tau_int_error), tau);
  tour::expect_near(mean.tau_int, tau, 5 * mean.tau_int_error, "tau_int = (1 + a) / (1 - a) / 2");
  tour::expect_near(mean.mean, 3, 5 * mean.error, "the mean, within five standard errors");
  tour::expect_near(mean.error, std::sqrt(2 * tau / 40000), 0.2 * mean.error, "error^2 = 2 tau_int variance / N");

  // A function of means, like a susceptibility or a ratio: the variance <x^2> - <x>^2, by three methods.
  std::vector<std::vector<double>> powers(2);
  for (const double x : series) {
    powers[0].push_back(x);
    powers[1].push_back(x * x);
  }
  const analysis::FunctionOfMeans variance = [](std::span<const double> m) { return m[1] - m[0] * m[0]; };
  const auto by_gamma = analysis::gamma_method(variance, powers);
  const auto by_jackknife = analysis::jackknife(variance, powers, 200);  // bins of many autocorrelation times each
  const auto by_bootstrap = analysis::bootstrap(variance, powers, 200);
  fmt::print("variance {} (Gamma method), {} (jackknife), {} (bootstrap)\n",
             analysis::with_error(by_gamma.mean, by_gamma.error),
             analysis::with_error(by_jackknife.value, by_jackknife.error),
             analysis::with_error(by_bootstrap.value, by_bootstrap.error));
  tour::expect_near(by_gamma.mean, 1, 5 * by_gamma.error, "the variance is 1");
  tour::expect_near(by_jackknife.error / by_gamma.error, 1, 0.3, "jackknife and Gamma method agree on the error");
  tour::expect_near(by_bootstrap.error / by_gamma.error, 1, 0.3, "bootstrap and Gamma method agree on the error");
}

// On a lattice of extent 16 in time, a meson correlator is a cosh about the middle.
void masses() {
  constexpr int extent = 16;
  constexpr double mass = 0.4;
  std::vector<double> correlator;
  for (int t = 0; t < extent; ++t) correlator.push_back(std::cosh(mass * (extent / 2.0 - t)));
  const std::vector<double> half = analysis::folded(correlator);  // both directions in time, averaged
  tour::expect(half.size() == extent / 2 + 1, "0 <= t <= L / 2");
  for (int t = 0; t < extent / 2; ++t) {
    const double found = analysis::cosh_mass(half[std::size_t(t)], half[std::size_t(t) + 1], t, extent);
    tour::expect_near(found, mass, 1e-9, "the mass of a cosh");
  }
  // The logarithm ignores propagation the other way around the lattice, so it is too small near the middle.
  const double naive = analysis::log_mass(half[5], half[6]);
  fmt::print("effective mass at t = 5: {:.6f} from the cosh, {:.6f} from the logarithm\n",
             analysis::cosh_mass(half[5], half[6], 5, extent), naive);
  tour::expect(naive < mass, "backward propagation lowers the logarithmic mass");
  tour::expect_near(analysis::log_mass(std::exp(-0.8), std::exp(-1.2)), 0.4, 1e-14,
                    "the logarithmic mass of a pure exponential");
  tour::expect(analysis::cosh_mass_slope(mass, 7, extent) > 1, "errors of the ratio matter more near the middle");
}

// Averages at a coupling between two runs. Here s = x^2 / 2 for normal x, so the weight exp(-beta s) has
// <s> = 1 / (2 beta).
void reweighting() {
  const RandomStream stream{.seed = 7, .trajectory = 0, .purpose = RandomPurpose::test};
  std::vector<analysis::ReweightingRun> runs;
  std::vector<analysis::ReweightedSeries> series;
  for (const double beta : {1.0, 2.0}) {
    analysis::Series s;
    for (int n = 0; n < 5000; ++n) {
      double x = 0, other = 0;
      normal_lanes(stream, std::array{n}, std::uint32_t(beta), x, other);
      s.push_back(x * x / (2 * beta));
    }
    runs.push_back({beta, s});
    series.push_back({.action = s, .observables = {s}});
  }
  const analysis::Reweighting both(runs);
  const analysis::ReweightedAverages average(both, series);
  const auto found = average(1.5);
  fmt::print("<s> = {:.4f} at beta = 1.5 (exact: {:.4f}), overlap {:.2f}\n", found.means[0], 1 / 3.0, both.overlap());
  tour::expect_near(found.means[0], 1 / 3.0, 0.03, "<s> = 1 / (2 beta)");
  tour::expect_near(both.free_energies()[1], 0.5 * std::log(2.0), 0.05, "f = -log Z = log(beta) / 2");
}

// A mass from noisy correlators: every range of times is fitted with correlated errors, and the fits are averaged.
void fits() {
  constexpr int extent = 16;
  constexpr double mass = 0.4;
  const RandomStream stream{.seed = 6, .trajectory = 0, .purpose = RandomPurpose::test};
  std::vector<analysis::Series> correlators;
  for (int n = 0; n < 200; ++n) {
    analysis::Series c;
    for (int t = 0; t < extent; ++t) {
      double noise = 0, other = 0;
      normal_lanes(stream, std::array{n}, std::uint32_t(t), noise, other);
      c.push_back(std::cosh(mass * (extent / 2.0 - t)) * (1 + 0.02 * noise));
    }
    correlators.push_back(analysis::folded(c));
  }
  const auto found = analysis::fit_correlator(correlators, {.extent = extent});
  fmt::print("mass {} from {} ranges of times\n", analysis::with_error(found.mass, found.error), found.ranges.size());
  tour::expect_near(found.mass, mass, 5 * found.error, "the mass, within five standard errors");

  // Your own model: a line through three points with known errors.
  const analysis::Fit line =
      analysis::fit([](double x, std::span<const double> p) { return p[0] + p[1] * x; }, analysis::Series{0, 1, 2},
                    analysis::Series{1, 3, 5}, analysis::Covariance(3, {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}), {0, 0});
  tour::expect_near(line.parameters[1], 2, 1e-8, "the slope");
  tour::expect_near(line.errors[1], 0.1 / std::sqrt(2), 1e-8, "its error, sigma / sqrt(sum (x - mean)^2)");
}

}  // namespace

int main() {
  return tour::run([] {
    means();
    reweighting();
    masses();
    fits();
  });
}
