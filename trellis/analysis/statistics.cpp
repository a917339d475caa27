// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trellis/analysis/fit.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Numbers that differ by less, relatively, differ by rounding.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

double mean_of(std::span<const double> series) {
  const double n = static_cast<double>(series.size());
  const double rough = std::accumulate(series.begin(), series.end(), 0.0) / n;
  // A second pass over the differences removes the rounding error of the first.
  double rest = 0;
  for (const double x : series) rest += x - rough;
  return rough + rest / n;
}

std::vector<double> means_of(std::span<const std::vector<double>> series) {
  std::vector<double> means;
  for (const auto& one : series) {
    if (one.empty() || one.size() != series[0].size()) {
      fail("statistics: series of {} and {} numbers; expected equal lengths, not 0", series[0].size(), one.size());
    }
    means.push_back(mean_of(one));
  }
  return means;
}

// tau such that sum_t exp(-|t|/tau) = 2 tau_int. Anticorrelated series (tau_int <= 1/2) have no such tau; for them, the
// decay of |rho| is used.
double decay_time(double tau_int, double rho1) {
  if (tau_int > 0.5) return 1 / std::log((2 * tau_int + 1) / (2 * tau_int - 1));
  const double rho = std::abs(rho1);
  if (rho >= 1) return std::numeric_limits<double>::infinity();
  return rho == 0 ? std::numeric_limits<double>::min() : -1 / std::log(rho);
}

// The numbers of all chains minus their common mean.
struct Deviations {
  double mean = 0;
  Chains chains;
  double size = 0;  // of the largest number
  std::int64_t count = 0;

  explicit Deviations(const Chains& all) : chains(all) {
    Series joined;
    for (const Series& chain : all) joined.insert(joined.end(), chain.begin(), chain.end());
    if (joined.empty()) fail("statistics: the mean of an empty series");
    count = static_cast<std::int64_t>(joined.size());
    mean = mean_of(joined);
    for (const double x : joined) size = std::max(size, std::abs(x));
    for (Series& chain : chains)
      for (double& x : chain) x -= mean;
  }
  std::int64_t longest() const {
    std::size_t most = 0;
    for (const Series& chain : chains) most = std::max(most, chain.size());
    return static_cast<std::int64_t>(most);
  }
  double gamma(std::int64_t t) const {
    double sum = 0;
    std::int64_t pairs = 0;
    for (const Series& chain : chains) {
      const auto length = static_cast<std::int64_t>(chain.size());
      for (std::int64_t i = 0; i + t < length; ++i)
        sum += chain[static_cast<std::size_t>(i)] * chain[static_cast<std::size_t>(i + t)];
      pairs += std::max<std::int64_t>(length - t, 0);
    }
    return sum / static_cast<double>(pairs);
  }
};

bool is_autocorrelated(const MeanEstimate& of) { return of.tau_int - of.tau_int_error > 0.5; }

// See jackknife_bins().
std::int64_t bin_length(const MeanEstimate& of) {
  if (!is_autocorrelated(of)) return 1;
  constexpr std::int64_t enough_bins = 40;
  const auto times = [&](double many) { return static_cast<std::int64_t>(std::ceil(many * of.tau_int)); };
  return std::clamp(of.count / enough_bins, times(4), times(10));
}

// r in the header.
double fraction_of_variance(const MeanEstimate& of, std::int64_t bins) {
  if (!is_autocorrelated(of)) return 1;
  const double a = (2 * of.tau_int - 1) / (2 * of.tau_int + 1);
  const double length = static_cast<double>(of.count) / static_cast<double>(bins);
  return 1 - 2 * a * (1 - std::pow(a, length)) / (length * (1 - a * a));
}

double tau_error(double tau, double window, double n) {
  return tau * 2 * std::sqrt(std::max(window + 0.5 - tau, 0.0) / n);
}

// size: of the numbers whose rounding is in the series, if that is more than the series' own.
MeanEstimate estimate(const Chains& chains, double s, double size) {
  if (!(s > 0 && std::isfinite(s))) fail_input("s of the Gamma method is {}; it must be above 0", s);
  const Deviations delta(chains);
  const double n = static_cast<double>(delta.count);
  MeanEstimate out;
  out.count = delta.count;
  out.mean = delta.mean;
  if (delta.count < fewest_for_error) {
    out.variance = out.error = out.error_error = out.tau_int = out.tau_int_error = nan;
    return out;
  }
  const double gamma0 = delta.gamma(0);
  if (std::sqrt(gamma0) <= rounding * std::max(size, delta.size)) return out;

  double half_sum = 0.5;  // 1/2 + sum of rho(t)
  double rho1 = 0;
  std::int64_t w = 0;
  while (w < delta.longest() / 2) {
    ++w;
    const double rho = delta.gamma(w) / gamma0;
    if (w == 1) rho1 = rho;
    half_sum += rho;
    const double tau = s * decay_time(half_sum, rho1);
    const double window = static_cast<double>(w);
    if (std::exp(-window / tau) - tau / std::sqrt(window * n) < 0) break;
  }
  const double width = static_cast<double>(w);
  // The sum over a noisy window can be zero or negative. An error that is below the uncorrelated one by more than its
  // own uncertainty is not credible, so it is never less than half of the naive error.
  const double c = std::max(2 * gamma0 * half_sum * (1 + (2 * width + 1) / n), 0.25 * gamma0);
  out.window = w;
  out.variance = gamma0 + c / n;
  out.tau_int = 0.5 * c / out.variance;
  out.tau_int_error = tau_error(out.tau_int, width, n);
  out.error = std::sqrt(c / n);
  out.error_error = out.error * std::sqrt((width + 0.5) / n);
  if (chains.size() > 1) {
    double chi2 = 0;
    int with_numbers = 0;
    for (const Series& chain : delta.chains)
      if (!chain.empty()) {
        const double off = mean_of(chain);
        chi2 += off * off * static_cast<double>(chain.size()) / c;
        ++with_numbers;
      }
    out.consistency = chi_square_probability(chi2, with_numbers - 1);
  }
  return out;
}

}  // namespace

MeanEstimate gamma_method(std::span<const double> series, double s) {
  return gamma_method(Chains{Series(series.begin(), series.end())}, s);
}

MeanEstimate gamma_method(const Chains& chains, double s) { return estimate(chains, s, 0); }

Autocorrelation autocorrelation(const Chains& chains, std::int64_t last, std::int64_t window) {
  const Deviations delta(chains);
  const double n = static_cast<double>(delta.count), gamma0 = delta.gamma(0);
  Autocorrelation out;
  if (!(gamma0 > 0)) return out;
  last = std::min(last, delta.longest() / 2);
  Series known;
  for (std::int64_t t = 0; t <= std::min(window + last, delta.longest() - 1); ++t)
    known.push_back(delta.gamma(t) / gamma0);
  // Zero beyond what the sums for the last error need.
  const auto rho_at = [&](std::int64_t t) {
    const auto distance = static_cast<std::size_t>(std::abs(t));
    return distance < known.size() ? known[distance] : 0;
  };
  double sum = 0.5;
  for (std::int64_t t = 0; t <= last; ++t) {
    const double rho = rho_at(t);
    double square = 0;
    for (std::int64_t k = 1; k <= t + window; ++k) {
      const double term = rho_at(k + t) + rho_at(k - t) - 2 * rho * rho_at(k);
      square += term * term;
    }
    if (t > 0) sum += rho;
    out.rho.push_back(rho);
    out.rho_error.push_back(t == 0 ? 0 : std::sqrt(square / n));
    out.tau_int.push_back(sum);
    out.tau_int_error.push_back(tau_error(sum, static_cast<double>(t), n));
  }
  return out;
}

MeanEstimate gamma_method(const FunctionOfMeans& f, std::span<const std::vector<double>> series, double s) {
  static_cast<void>(means_of(series));
  std::vector<Chains> observables;
  for (const Series& one : series) observables.push_back({one});
  return gamma_method(f, observables, s);
}

MeanEstimate gamma_method(const FunctionOfMeans& f, std::span<const Chains> observables, double s) {
  Series means;
  for (const Chains& one : observables) {
    if (one.size() != observables[0].size()) fail("statistics: observables of different numbers of chains");
    for (std::size_t r = 0; r < one.size(); ++r)
      if (one[r].size() != observables[0][r].size())
        fail("statistics: series of {} and {} numbers; expected equal lengths", observables[0][r].size(),
             one[r].size());
    means.push_back(Deviations(one).mean);
  }
  Chains projected;
  if (!observables.empty())
    for (const Series& chain : observables[0]) projected.emplace_back(chain.size(), 0.0);
  double size = 0;
  for (std::size_t a = 0; a < observables.size(); ++a) {
    const auto naive = gamma_method(observables[a], s);
    const double step = 0.01 * std::sqrt(naive.variance / static_cast<double>(naive.count));
    if (!(step > 0)) continue;
    auto up = means, down = means;
    up[a] += step;
    down[a] -= step;
    const double above = f(up), slope = (above - f(down)) / (2 * step);
    // Rounding is in the numbers, and, through the slope, in f.
    const double of_values = std::max(std::abs(slope) * Deviations(observables[a]).size, std::abs(above));
    size += of_values * (1 + std::sqrt(naive.variance) / step);
    for (std::size_t r = 0; r < projected.size(); ++r)
      for (std::size_t i = 0; i < projected[r].size(); ++i)
        projected[r][i] += slope * (observables[a][r][i] - means[a]);
  }
  auto out = estimate(projected, s, size);
  out.mean = f(means);
  return out;
}

std::vector<Series> leave_one_out(std::span<const Series> series, std::int64_t bins) {
  const auto means = means_of(series);
  const auto count = series.empty() ? 0 : static_cast<std::int64_t>(series[0].size());
  if (bins < 2 || bins > count)
    fail("jackknife: {} of {}; expected from 2 to {}", plural(std::int64_t(bins), "bin"),
         plural(std::int64_t(count), "number"), count);
  std::vector<Series> samples;
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    const auto begin = bin * count / bins, end = (bin + 1) * count / bins;
    Series others(series.size());
    for (std::size_t a = 0; a < series.size(); ++a) {
      double inside = 0;
      for (auto i = begin; i < end; ++i) inside += series[a][static_cast<std::size_t>(i)] - means[a];
      others[a] = means[a] - inside / static_cast<double>(count - (end - begin));
    }
    samples.push_back(std::move(others));
  }
  return samples;
}

double jackknife_error(std::span<const double> samples) {
  if (samples.size() < fewest_for_error) return nan;
  const double average = mean_of(samples), b = static_cast<double>(samples.size());
  double spread = 0;
  for (const double x : samples) spread += (x - average) * (x - average);
  return std::sqrt((b - 1) / b * spread);
}

JackknifeEstimate jackknife(const FunctionOfMeans& f, std::span<const Series> series, std::int64_t bins) {
  Series left_out;
  for (const Series& others : leave_one_out(series, bins)) left_out.push_back(f(others));
  const double b = static_cast<double>(bins);
  return {b * f(means_of(series)) - (b - 1) * mean_of(left_out), jackknife_error(left_out)};
}

Bins jackknife_bins(std::span<const MeanEstimate> of, std::int64_t asked, std::int64_t most) {
  if (of.empty()) fail("jackknife: there are no series");
  const auto count = std::ranges::min(of, {}, &MeanEstimate::count).count;
  if (asked != 0) {
    if (asked < fewest_for_error || asked > count)
      fail_input("{} of {}; expected from {} to {}", plural(std::int64_t(asked), "bin"),
                 plural(std::int64_t(count), "measurement"), fewest_for_error, count);
    return {.count = asked};
  }
  Bins bins{.count = most};
  for (const MeanEstimate& one : of) bins.count = std::min(bins.count, one.count / bin_length(one));
  // Autocorrelation is itself uncertain where it would leave fewer.
  bins.count = std::max(bins.count, std::max<std::int64_t>(std::min({count, fewest_for_error, most}), 2));
  for (const MeanEstimate& one : of)
    bins.variance_factor = std::max(bins.variance_factor, 1 / fraction_of_variance(one, bins.count));
  return bins;
}

void widen(std::vector<Series>& samples, double variance_factor) {
  if (samples.empty() || variance_factor == 1) return;
  const double scale = std::sqrt(variance_factor), count = static_cast<double>(samples.size());
  for (std::size_t i = 0; i < samples[0].size(); ++i) {
    double average = 0;
    for (const Series& sample : samples) average += sample[i] / count;
    for (Series& sample : samples) sample[i] = average + scale * (sample[i] - average);
  }
}

std::string lack_of_measurements(const MeanEstimate& of) {
  return of.count < fewest_for_error ? "not enough measurements for an error" : "";
}

std::string with_error(double value, double error) {
  if (!std::isfinite(value) || !std::isfinite(error) || error <= 0) return fmt::format("{:.6g}", value);
  // Enough decimals for the error to show two digits; rounding may turn them into three (0.0996 -> 0.100).
  int decimals = 1 - static_cast<int>(std::floor(std::log10(error)));
  if (std::round(error * std::pow(10, decimals)) >= 100) --decimals;
  if (error >= 1e6) return fmt::format("{:.3g}({:.2g})", value, error);
  if (decimals > 15) return fmt::format("{:.15g}({:.1e})", value, error);
  if (decimals <= 0) {
    const double unit = std::pow(10, -decimals);
    return fmt::format("{:.0f}({:.0f})", std::round(value / unit) * unit, std::round(error / unit) * unit);
  }
  // If the error is 1 or more, it gets its own decimal point: 12.3(1.5).
  if (decimals == 1) return fmt::format("{:.1f}({:.1f})", value, error);
  return fmt::format("{:.{}f}({:.0f})", value, decimals, error * std::pow(10, decimals));
}

}  // namespace trellis::analysis
