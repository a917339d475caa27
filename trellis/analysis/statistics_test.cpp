// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "trellis/analysis/bootstrap.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// x_{i+1} = a x_i + sqrt(1 - a^2) noise: mean 0, variance 1, tau_int = (1 + a) / (1 - a) / 2.
std::vector<double> autoregressive(double a, std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> noise;
  std::vector<double> series(count);
  double x = noise(engine);
  for (auto& entry : series) {
    entry = x;
    x = a * x + std::sqrt(1 - a * a) * noise(engine);
  }
  return series;
}

double exact_tau(double a) { return 0.5 * (1 + a) / (1 - a); }

TEST(GammaMethod, FindsTheAutocorrelationTime) {
  for (const double a : {-0.5, 0.0, 0.5, 0.8, 0.9}) {
    const auto result = gamma_method(autoregressive(a, 100000, 7));
    EXPECT_NEAR(result.tau_int, exact_tau(a), 4 * result.tau_int_error + 0.01) << a;
    EXPECT_LT(result.tau_int_error, 0.1 * exact_tau(a)) << a;
    EXPECT_NEAR(result.error, std::sqrt(2 * exact_tau(a) / 1e5), 4 * result.error_error + 0.01 * result.error) << a;
    EXPECT_LT(std::abs(result.mean), 4 * result.error) << a;
    EXPECT_NEAR(result.variance, 1, 0.05) << a;
  }
}

// Over many short chains, the errors are right on average: the pull mean/error has variance 1, and the stated error of
// the error agrees with the scatter of the error.
TEST(GammaMethod, ErrorsHaveTheRightSize) {
  for (const double a : {-0.5, 0.0, 0.7}) {
    const int chains = 400;
    double pull2 = 0, tau = 0, error = 0, error2 = 0, stated = 0;
    for (int chain = 0; chain < chains; ++chain) {
      const auto result = gamma_method(autoregressive(a, 2000, 100 + static_cast<unsigned>(chain)));
      pull2 += result.mean * result.mean / (result.error * result.error) / chains;
      tau += result.tau_int / chains;
      error += result.error / chains;
      error2 += result.error * result.error / chains;
      stated += result.error_error / chains;
    }
    EXPECT_NEAR(pull2, 1, 0.25) << a;  // sqrt(2/400) = 0.07
    EXPECT_NEAR(tau, exact_tau(a), 0.05 * exact_tau(a)) << a;
    const double scatter = std::sqrt(error2 - error * error);
    EXPECT_GT(stated, 0.6 * scatter) << a;
    EXPECT_LT(stated, 1.6 * scatter) << a;
  }
}

TEST(GammaMethod, SmallCases) {
  EXPECT_THROW(gamma_method(std::vector<double>{}), Error);
  for (const double s : {0.0, -1.5, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(gamma_method(std::vector<double>(10, 0.1), s), InputError) << s;
  const auto one = gamma_method(std::vector<double>{3.0});
  EXPECT_EQ(one.mean, 3.0);
  EXPECT_TRUE(std::isnan(one.error));
  const auto constant = gamma_method(std::vector<double>(10, 0.1));
  EXPECT_EQ(constant.mean, 0.1);
  EXPECT_EQ(constant.error, 0.0);
  EXPECT_EQ(constant.tau_int, 0.5);
  const std::vector<double> six{1.0, -1.0, 0.5, 2.0, 0.0, -2.5};
  EXPECT_GT(gamma_method(six).error, 0);
  EXPECT_EQ(lack_of_measurements(gamma_method(six)), "");
  const auto five = gamma_method(std::span(six).first(5));
  EXPECT_EQ(five.mean, 0.5);
  for (const double none : {five.variance, five.error, five.error_error, five.tau_int, five.tau_int_error})
    EXPECT_TRUE(std::isnan(none));
  EXPECT_EQ(lack_of_measurements(five), "not enough measurements for an error");
  EXPECT_EQ(with_error(five.mean, five.error), "0.5");
  std::vector<double> alternating(1000);
  for (std::size_t i = 0; i < alternating.size(); ++i) alternating[i] = i % 2 == 0 ? 1 : -1;
  EXPECT_TRUE(gamma_method(alternating).error > 0);
}

// What differs by rounding alone has no error, and is not known to 1e-16 either; what differs by more has one.
TEST(GammaMethod, RoundingIsNoError) {
  std::vector<double> same(10, 0.6), different(10, 0.6);
  for (std::size_t i = 0; i < 10; i += 3) {
    same[i] = std::nextafter(0.6, 1);
    different[i] += 1e-13;
  }
  EXPECT_EQ(gamma_method(same).error, 0);
  EXPECT_GT(gamma_method(different).error, 0);
  // <x^2> - <x>^2 of numbers with two values, half of each, has no linear error.
  std::vector<Series> squares(2);
  for (int i = 0; i < 10; ++i) {
    const double x = i % 2 == 0 ? 0.1 : 0.7;
    squares[0].push_back(x);
    squares[1].push_back(x * x);
  }
  const FunctionOfMeans variance = [](std::span<const double> m) { return m[1] - m[0] * m[0]; };
  EXPECT_LT(gamma_method(variance, squares).error, 1e-20);
  squares[0].resize(2);
  squares[1].resize(2);
  EXPECT_TRUE(std::isnan(gamma_method(variance, squares).error));
}

TEST(GammaMethod, AFarOffsetLosesNothing) {
  auto series = autoregressive(0.5, 5000, 3);
  const auto near = gamma_method(series);
  for (auto& x : series) x += 1e6;
  const auto far = gamma_method(series);
  EXPECT_NEAR(far.mean - 1e6, near.mean, 1e-9);
  EXPECT_NEAR(far.error, near.error, 1e-8 * near.error);
  EXPECT_EQ(far.window, near.window);
}

TEST(GammaMethod, OfAFunctionOfMeans) {
  // f = <x> <y> with independent x, y and means 2 and 3: error^2 = 9 var(x) + 4 var(y).
  auto x = autoregressive(0.6, 20000, 11), y = autoregressive(0.6, 20000, 12);
  for (auto& v : x) v += 2;
  for (auto& v : y) v += 3;
  const std::vector<std::vector<double>> series{x, y};
  const FunctionOfMeans product = [](std::span<const double> m) { return m[0] * m[1]; };
  const auto result = gamma_method(product, series);
  const double expected = std::sqrt(13 * 2 * exact_tau(0.6) / 20000);
  EXPECT_NEAR(result.error, expected, 0.15 * expected);
  EXPECT_NEAR(result.mean, 6, 4 * result.error);
  // For a linear function it agrees with the simple version.
  const FunctionOfMeans first = [](std::span<const double> m) { return 5 * m[0]; };
  EXPECT_NEAR(gamma_method(first, series).error, 5 * gamma_method(x).error, 1e-10);
}

// Two series that fluctuate together, and a function of their difference that is linear only over its own small error,
// as the derivative of a flow curve is.
TEST(GammaMethod, OfAFunctionWhoseInputsFluctuateTogether) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<Series> series(2);
  for (int i = 0; i < 1000; ++i) {
    const double common = normal(random);
    series[0].push_back(common + 1e-3 * normal(random));
    series[1].push_back(common);
  }
  const FunctionOfMeans f = [](std::span<const double> m) { return std::tanh(1000 * (m[0] - m[1])); };
  const auto found = gamma_method(f, series);
  EXPECT_NEAR(found.error, 1 / std::sqrt(1000.0), 0.15 / std::sqrt(1000.0));
  EXPECT_NEAR(found.error, jackknife(f, series, 100).error, 0.2 * found.error);
}

TEST(Jackknife, LinearFunctionGivesTheNaiveError) {
  const auto x = autoregressive(0.0, 1000, 5);
  const std::vector<std::vector<double>> series{x};
  const auto result = jackknife([](std::span<const double> m) { return m[0]; }, series, 1000);
  double mean = 0, square = 0;
  for (const double v : x) mean += v / 1000;
  for (const double v : x) square += (v - mean) * (v - mean) / 999 / 1000;
  EXPECT_NEAR(result.value, mean, 1e-14);
  EXPECT_NEAR(result.error, std::sqrt(square), 1e-14);
}

TEST(Jackknife, FewBinsHaveNoError) {
  const std::vector<std::vector<double>> series{autoregressive(0.0, 100, 5)};
  const FunctionOfMeans mean = [](std::span<const double> m) { return m[0]; };
  EXPECT_TRUE(std::isnan(jackknife(mean, series, 5).error));
  EXPECT_GT(jackknife(mean, series, 6).error, 0);
}

TEST(Jackknife, RemovesTheBiasOfASquare) {
  // With single numbers as bins, <x^2> - <x>^2 is exactly the unbiased sample variance.
  const auto x = autoregressive(0.0, 50, 9);
  std::vector<double> squares;
  for (const double v : x) squares.push_back(v * v);
  const std::vector<std::vector<double>> series{x, squares};
  const auto result = jackknife([](std::span<const double> m) { return m[1] - m[0] * m[0]; }, series, 50);
  double mean = 0, variance = 0;
  for (const double v : x) mean += v / 50;
  for (const double v : x) variance += (v - mean) * (v - mean) / 49;
  EXPECT_NEAR(result.value, variance, 1e-12);
}

TEST(Jackknife, BinsAgreeWithTheGammaMethod) {
  const std::vector<std::vector<double>> series{autoregressive(0.8, 50003, 21)};
  const FunctionOfMeans f = [](std::span<const double> m) { return std::exp(m[0]); };
  const auto binned = jackknife(f, series, 200);
  const auto windowed = gamma_method(f, series);
  EXPECT_NEAR(binned.error, windowed.error, 0.2 * windowed.error);
  EXPECT_NEAR(binned.value, windowed.mean, 0.1 * windowed.error);
}

TEST(Jackknife, RefusesImpossibleBins) {
  const std::vector<std::vector<double>> series{{1, 2, 3}}, unequal{{1, 2}, {1}};
  const FunctionOfMeans f = [](std::span<const double> m) { return m[0]; };
  EXPECT_THROW(jackknife(f, series, 1), Error);
  EXPECT_THROW(jackknife(f, series, 4), Error);
  EXPECT_THROW(jackknife(f, unequal, 2), Error);
}

// Bins of four autocorrelation times have 0.77 of the true variance, those of ten 0.91, and the factor makes up for it;
// 300 chains each. Numbers that are not autocorrelated, and remainders of divisions by the number of bins, change
// nothing.
TEST(Jackknife, BinsAccountForWhatTheyLeaveOutOfAutocorrelation) {
  const FunctionOfMeans mean = [](std::span<const double> m) { return m[0]; };
  const std::pair<double, std::size_t> cases[] = {{0.5, 400}, {0.5, 390}, {2, 400}, {2, 3000}, {5, 400}, {5, 3000}};
  for (const auto& [tau, count] : cases) {
    const double a = (2 * tau - 1) / (2 * tau + 1);
    double variance = 0, error2 = 0, of_bootstrap = 0;
    for (auto t = 1 - std::int64_t(count); t < std::int64_t(count); ++t)
      variance += std::pow(a, double(std::abs(t))) * (1 - double(std::abs(t)) / double(count)) / double(count);
    constexpr int chains = 300;
    for (unsigned n = 0; n < chains; ++n) {
      const std::vector<Series> series{autoregressive(a, count, 4000 + n)};
      const auto estimate = gamma_method(series[0]);
      const Bins bins = jackknife_bins({&estimate, 1});
      error2 += bins.variance_factor * std::pow(jackknife(mean, series, bins.count).error, 2) / chains;
      if (n < 100)
        of_bootstrap += bins.variance_factor * std::pow(bootstrap(mean, series, bins.count, 100).error, 2) / 100;
    }
    EXPECT_NEAR(std::sqrt(error2 / variance), 1, 0.05) << tau << " " << count;
    EXPECT_NEAR(std::sqrt(of_bootstrap / variance), 1, 0.06) << tau << " " << count;
  }
}

TEST(Jackknife, BinsAreAsLongAsTheDataAllow) {
  MeanEstimate of{.count = 4000, .tau_int = 5, .tau_int_error = 0.5};
  EXPECT_EQ(jackknife_bins({&of, 1}).count, 80);  // ten autocorrelation times
  EXPECT_NEAR(jackknife_bins({&of, 1}).variance_factor, 1 / 0.901, 1e-3);
  of.count = 1200;
  EXPECT_EQ(jackknife_bins({&of, 1}).count, 40);
  of.count = 400;
  EXPECT_EQ(jackknife_bins({&of, 1}).count, 20);  // four
  EXPECT_NEAR(jackknife_bins({&of, 1}).variance_factor, 1 / 0.757, 1e-3);
  of.count = 50;
  EXPECT_EQ(jackknife_bins({&of, 1}).count, 6);
  EXPECT_EQ(jackknife_bins({&of, 1}, 25).count, 25);
  EXPECT_EQ(jackknife_bins({&of, 1}, 25).variance_factor, 1);
  EXPECT_THROW(jackknife_bins({&of, 1}, 51), InputError);
  EXPECT_THROW(jackknife_bins({&of, 1}, 5), InputError);
  EXPECT_THROW(jackknife_bins({&of, 1}, -1), InputError);
  of.tau_int = 0.6;  // not above 1/2 by its error
  EXPECT_EQ(jackknife_bins({&of, 1}).count, 50);
  EXPECT_EQ(jackknife_bins({&of, 1}).variance_factor, 1);
  of.count = 399;
  EXPECT_EQ(jackknife_bins({&of, 1}).count, 200);
}

TEST(WithError, TwoDigitsOfTheError) {
  EXPECT_EQ(with_error(0.593712, 0.000123), "0.59371(12)");
  EXPECT_EQ(with_error(0.593712, 0.000096), "0.593712(96)");
  EXPECT_EQ(with_error(0.5, 0.0996), "0.50(10)");
  EXPECT_EQ(with_error(0.5, 0.0999), "0.50(10)");
  EXPECT_EQ(with_error(1.0034, 0.0082), "1.0034(82)");
  EXPECT_EQ(with_error(12.34, 1.52), "12.3(1.5)");
  EXPECT_EQ(with_error(-1234.6, 23.4), "-1235(23)");
  EXPECT_EQ(with_error(123456, 2345), "123500(2300)");
  EXPECT_EQ(with_error(3.5e42, 3.2e42), "3.5e+42(3.2e+42)");
  EXPECT_EQ(with_error(0.25, 0), "0.25");
  EXPECT_EQ(with_error(0.25, std::nan("")), "0.25");
  EXPECT_EQ(with_error(std::nan(""), 1), "nan");
}

// Several chains: pulls and consistency probabilities have the right size, a chain that does not belong with the others
// is detected, and a list of one chain gives the same results as a plain series.
TEST(GammaMethod, OfSeveralChains) {
  const double a = 0.7;
  double pull2 = 0;
  int inconsistent = 0;
  constexpr int times = 300;
  for (unsigned n = 0; n < times; ++n) {
    const Chains chains{autoregressive(a, 1500, 1000 + 3 * n), autoregressive(a, 500, 1001 + 3 * n),
                        autoregressive(a, 1000, 1002 + 3 * n)};
    const auto e = gamma_method(chains);
    EXPECT_EQ(e.count, 3000);
    pull2 += e.mean * e.mean / (e.error * e.error) / times;
    inconsistent += e.consistency < 0.1;
  }
  EXPECT_NEAR(pull2, 1, 0.3);
  EXPECT_NEAR(double(inconsistent) / times, 0.1, 0.06);

  Chains shifted{autoregressive(a, 1500, 1), autoregressive(a, 1500, 2)};
  EXPECT_GT(gamma_method(shifted).consistency, 1e-3);
  for (double& x : shifted[1]) x += 1;
  EXPECT_LT(gamma_method(shifted).consistency, 1e-4);

  const auto series = autoregressive(a, 3000, 4);
  const auto one = gamma_method(series), same = gamma_method(Chains{series});
  EXPECT_EQ(one.error, same.error);
  EXPECT_EQ(same.consistency, 1);
  // A function of two means, chain by chain.
  const std::vector<Chains> observables{{autoregressive(a, 2000, 5), autoregressive(a, 1000, 6)},
                                        {autoregressive(0, 2000, 7), autoregressive(0, 1000, 8)}};
  const auto sum = gamma_method([](std::span<const double> m) { return m[0] + m[1]; }, observables);
  EXPECT_NEAR(sum.error * sum.error * 3000, 2 * exact_tau(a) + 1, 0.2 * (2 * exact_tau(a) + 1));
}

TEST(Autocorrelation, IsThatOfTheProcess) {
  const double a = 0.8;
  const Chains chains{autoregressive(a, 50000, 11), autoregressive(a, 50000, 12)};
  const auto e = gamma_method(chains);
  const auto curves = autocorrelation(chains, 40, e.window);
  ASSERT_EQ(curves.rho.size(), 41U);
  EXPECT_EQ(curves.rho[0], 1);
  for (std::size_t t : {1U, 3U, 10U}) {
    EXPECT_NEAR(curves.rho[t], std::pow(a, double(t)), 5 * curves.rho_error[t]) << t;
    EXPECT_GT(curves.rho_error[t], 1e-3) << t;
    EXPECT_LT(curves.rho_error[t], 2e-2) << t;
  }
  EXPECT_NEAR(curves.tau_int[40], exact_tau(a), 5 * curves.tau_int_error[40]);
}

}  // namespace
}  // namespace trellis::analysis
