// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Means of Monte Carlo series, with reliable errors.
//
// Gamma method: U. Wolff, hep-lat/0306017. Gamma(t) = <(x_i - mean)(x_{i+t} - mean)> is summed up to a window W,
//   C(W) = Gamma(0) + 2 sum_{t=1..W} Gamma(t),   tau_int(W) = C(W) / (2 Gamma(0)),   error^2 = C(W) / N,
// where W is the first window for which exp(-W/tau) - tau / sqrt(W N) < 0, with
//   1/tau = ln((2 tau_int + 1)/(2 tau_int - 1)) / S,   S = 1.5   (his eqs. 50-52).
// An anticorrelated series has tau_int < 1/2; in that case tau = -S / ln |rho(1)|. The bias from subtracting the
// estimated mean is corrected by C -> C (1 + (2W+1)/N) (his eq. 49). The relative error of the error is
// sqrt((W + 1/2)/N); the error of tau_int is tau_int sqrt(4 (W + 1/2 - tau_int)/N) (his eq. 42). tau_int = 1/2 for
// independent numbers.
// Several chains of one ensemble (replica) share a common mean; Gamma(t) uses only pairs within a chain. Whether the
// chains agree is tested by chi^2 = sum_r (mean_r - mean)^2 / error_r^2 with R - 1 degrees of freedom: `consistency` is
// the probability of a larger chi^2 (his section 3.3).
//
// For a function of several means (susceptibility, ratio) there are three methods: the same with the projected series
// sum_a df/dx_a x_a; the jackknife; and the bootstrap (bootstrap.hpp). The bins of the last two must be much longer
// than the autocorrelation time.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace trellis::analysis {

// The fewest numbers, or bins, from which an error is estimated: with the shortest window the error's own relative
// error, sqrt((W + 1/2) / N), is then 1/2. Fewer may agree by chance, and <x^2> - <x>^2 of two numbers has a projected
// series that is zero up to rounding.
inline constexpr std::int64_t fewest_for_error = 6;

// For a series that is constant up to rounding the error is 0 and tau_int is 1/2. With fewer than fewest_for_error
// numbers all but count and mean are NaN.
struct MeanEstimate {
  std::int64_t count = 0;
  double mean = 0;
  double variance = 0;  // of a single number: Gamma(0), bias-corrected
  double error = 0;     // of the mean
  double error_error = 0;
  double tau_int = 0.5;
  double tau_int_error = 0;
  std::int64_t window = 0;
  double consistency = 1;  // of several chains: see above
};

using Series = std::vector<double>;
using Chains = std::vector<Series>;  // one observable

// Throws for an empty series. Cost: 2 N W flops.
MeanEstimate gamma_method(std::span<const double> series, double s = 1.5);
MeanEstimate gamma_method(const Chains& chains, double s = 1.5);

// rho(t) = Gamma(t) / Gamma(0) and tau_int(W) for t, W = 0 to `last` (at most half of the longest chain). The errors of
// rho are those of M. Luescher (hep-lat/0409106, appendix E), with his sum over k up to t + window; those of tau_int
// are as above.
struct Autocorrelation {
  Series rho, rho_error, tau_int, tau_int_error;
};
Autocorrelation autocorrelation(const Chains& chains, std::int64_t last, std::int64_t window);

using FunctionOfMeans = std::function<double(std::span<const double>)>;

// f(mean of series[0], mean of series[1], ...) by the Gamma method, with derivatives by central differences over a
// hundredth of the errors of the means: f need not be linear over the errors of single means, which may be much larger
// than that of f where their fluctuations cancel. All series must have the same length.
MeanEstimate gamma_method(const FunctionOfMeans& f, std::span<const Series> series, double s = 1.5);
MeanEstimate gamma_method(const FunctionOfMeans& f, std::span<const Chains> observables, double s = 1.5);

// [bin][series]: the means of all series, which must have equal lengths, with one bin left out. Throws unless there are
// at least 2 bins with at least one number each; the remainder at the end goes into the last bin.
std::vector<Series> leave_one_out(std::span<const Series> series, std::int64_t bins);
// sqrt((B - 1) / B sum_b (s_b - mean)^2), for quantities s_b computed from B such samples. NaN for fewer than
// fewest_for_error.
double jackknife_error(std::span<const double> samples);

struct JackknifeEstimate {
  double value = 0;  // f of the means, with the jackknife bias correction
  double error = 0;
};

JackknifeEstimate jackknife(const FunctionOfMeans& f, std::span<const Series> series, std::int64_t bins);

// A number of bins, 2 to 200, for the jackknife or the bootstrap: at least four autocorrelation times long, if the
// series is autocorrelated at all (tau_int above 1/2 by more than its error).
std::int64_t independent_bins(const MeanEstimate& of);

// "0.59371(12)": two digits of the error, in units of the last digit shown; "3.5e+42(3.2e+42)" if that would not be
// helpful. If the error is not a positive finite number, only the value, to six digits: "0.25".
std::string with_error(double value, double error);

// "not enough measurements for an error" if there is none (fewest_for_error), otherwise empty.
std::string lack_of_measurements(const MeanEstimate& of);

}  // namespace trellis::analysis
