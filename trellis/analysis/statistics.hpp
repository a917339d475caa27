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
// than the autocorrelation time: the variance that means of bins of B numbers give is that of independent bins, which
// leaves out what neighbouring bins have in common. For rho(t) = a^t, so that tau_int = (1 + a) / (1 - a) / 2, the sum
// of rho(t) (1 - t / B) over |t| < B is the fraction
//   r = 1 - 2 a (1 - a^B) / (B (1 - a^2)),   a = (2 tau_int - 1) / (2 tau_int + 1)
// of the sum of all rho(t): 0.77 if B is four autocorrelation times, 0.91 if it is ten. jackknife_bins() tells by how
// much variances are to be multiplied.

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

// Throws for an empty series, and InputError unless s is positive. Cost: 2 N W flops.
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
// at least 2 bins with at least one number each. The lengths of bins differ by one at most.
std::vector<Series> leave_one_out(std::span<const Series> series, std::int64_t bins);
// sqrt((B - 1) / B sum_b (s_b - mean)^2), for quantities s_b computed from B such samples. NaN for fewer than
// fewest_for_error.
double jackknife_error(std::span<const double> samples);

struct JackknifeEstimate {
  double value = 0;  // f of the means, with the jackknife bias correction
  double error = 0;
};

// The error is that of these bins, without the factor of jackknife_bins().
JackknifeEstimate jackknife(const FunctionOfMeans& f, std::span<const Series> series, std::int64_t bins);

// Bins for the jackknife or the bootstrap.
struct Bins {
  std::int64_t count = 0;
  double variance_factor = 1;  // 1 / r (see above): variances from these bins times this are right
};

// If the series are autocorrelated (tau_int above 1/2 by more than its error), bins are ten autocorrelation times long,
// or less, down to four, where fewer than 40 bins would be left; there are from 6 to `most` of them. The series that
// needs the longest bins decides, for the factor too. Of numbers that are not autocorrelated it is 1, and also with
// bins that are `asked` for, if that is not 0: their length is up to who asks. InputError unless that is from
// fewest_for_error to the number of measurements.
Bins jackknife_bins(std::span<const MeanEstimate> of, std::int64_t asked = 0, std::int64_t most = 200);

// Moves samples from their average, so that the variance of what is computed from them is larger by this factor.
void widen(std::vector<Series>& samples, double variance_factor);

// "0.59371(12)": two digits of the error, in units of the last digit shown; "3.5e+42(3.2e+42)" if that would not be
// helpful. If the error is not a positive finite number, only the value, to six digits: "0.25".
std::string with_error(double value, double error);

// "not enough measurements for an error" if there is none (fewest_for_error), otherwise empty.
std::string lack_of_measurements(const MeanEstimate& of);

}  // namespace trellis::analysis
