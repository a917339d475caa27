// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/correlator_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// Parameters: log of the amplitude where it must not change its sign is no help to a correlator that is negative, so
// amplitudes are as they are; masses and gaps are logarithms, which keeps them positive.
Model model_of(CorrelatorModel kind, double extent) {
  const auto around = [extent](double m, double t) { return std::exp(-m * t) + std::exp(-m * (extent - t)); };
  switch (kind) {
    case CorrelatorModel::exponential:
      return [](double t, std::span<const double> p) { return p[0] * std::exp(-std::exp(p[1]) * t); };
    case CorrelatorModel::cosh:
      return [around](double t, std::span<const double> p) { return p[0] * around(std::exp(p[1]), t); };
    case CorrelatorModel::two_states:
      return [around](double t, std::span<const double> p) {
        const double m = std::exp(p[1]);
        return p[0] * around(m, t) + p[2] * around(m + std::exp(p[3]), t);
      };
    case CorrelatorModel::constant:
      break;
  }
  return [](double, std::span<const double> p) { return p[0]; };
}

double mass_of(CorrelatorModel kind, const Series& p) {
  return kind == CorrelatorModel::constant ? p[0] : std::exp(p[1]);
}

// From two neighbouring times in the middle of the range.
std::optional<Series> first_guess(const CorrelatorFitParameters& of, const Series& y, int first, int last) {
  const auto at = [&](int t) { return y[std::size_t(t)]; };
  if (of.model == CorrelatorModel::constant) return Series{at((first + last) / 2)};
  double mass = std::nan("");
  for (int t = (first + last) / 2; t >= first && !(mass > 0); --t)
    mass = of.model == CorrelatorModel::exponential || t + 1 >= of.extent / 2
               ? log_mass(at(t), at(t + 1))
               : cosh_mass(at(t), at(t + 1), t, of.extent);
  if (!(mass > 0) || !std::isfinite(mass)) return std::nullopt;
  const int t = (first + last) / 2;
  const double shape =
      std::exp(-mass * t) + (of.model == CorrelatorModel::exponential ? 0 : std::exp(-mass * (of.extent - t)));
  Series start{at(t) / shape, std::log(mass)};
  if (of.model == CorrelatorModel::two_states) {
    const double gap = std::max(mass, 0.5);
    const double rest = at(first) - start[0] * (std::exp(-mass * first) + std::exp(-mass * (of.extent - first)));
    start.push_back(rest / std::exp(-(mass + gap) * first));
    start.push_back(std::log(gap));
  }
  return start;
}

// The means of all configurations but those of a bin.
std::vector<Series> leave_one_out(std::span<const Series> correlators, std::int64_t bins, const Series& mean) {
  const auto count = std::int64_t(correlators.size()), length = count / bins;
  std::vector<Series> samples;
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    const auto begin = bin * length, end = bin + 1 == bins ? count : begin + length;
    Series sample(mean.size());
    for (std::size_t t = 0; t < mean.size(); ++t) {
      double inside = 0;
      for (auto i = begin; i < end; ++i) inside += correlators[std::size_t(i)][t] - mean[t];
      sample[t] = mean[t] - inside / double(count - (end - begin));
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

double jackknife_error(const Series& samples) {
  const double b = double(samples.size());
  double average = 0, spread = 0;
  for (const double x : samples) average += x / b;
  for (const double x : samples) spread += (x - average) * (x - average);
  return std::sqrt((b - 1) / b * spread);
}

// As many as there are configurations, but each at least four autocorrelation times long where there is one.
std::int64_t independent_bins(std::span<const Series> correlators, int first, int last) {
  double tau = 0.5;
  for (const int t : {first, (first + last) / 2}) {
    Series series;
    for (const Series& c : correlators) series.push_back(c[std::size_t(t)]);
    const auto e = gamma_method(series);
    if (e.tau_int - e.tau_int_error > 0.5) tau = std::max(tau, e.tau_int);
  }
  const auto length = tau > 0.5 ? std::int64_t(std::ceil(4 * tau)) : 1;
  return std::clamp<std::int64_t>(std::int64_t(correlators.size()) / length, 2, 200);
}

Series cut(const Series& all, int first, int last) { return {all.begin() + first, all.begin() + last + 1}; }

}  // namespace

CorrelatorFit fit_correlator(std::span<const Series> correlators, const CorrelatorFitParameters& asked) {
  CorrelatorFitParameters of = asked;
  const auto count = std::int64_t(correlators.size());
  if (count < 4) fail("a correlator of {} configurations cannot be fitted; expected at least 4", count);
  if (of.last == 0) of.last = of.model == CorrelatorModel::exponential ? of.extent - 1 : of.extent / 2;
  of.last = std::min(of.last, int(correlators[0].size()) - 1);
  const int parameters = of.model == CorrelatorModel::constant ? 1 : of.model == CorrelatorModel::two_states ? 4 : 2;
  if (of.first < 0 || of.last - of.first + 1 <= parameters)
    fail("times {} to {} are too few to fit {} parameters", of.first, of.last, parameters);

  Series mean(correlators[0].size());
  for (const Series& c : correlators)
    for (std::size_t t = 0; t < mean.size(); ++t) mean[t] += c[t] / double(count);
  CorrelatorFit result;
  result.bins = of.bins > 0 ? std::min(of.bins, count) : independent_bins(correlators, of.first, of.last);
  const auto samples = leave_one_out(correlators, result.bins, mean);

  // Where the signal is lost in noise a fit of its own learns nothing.
  const auto error_at = [&](int t) {
    Series at;
    for (const Series& s : samples) at.push_back(s[std::size_t(t)]);
    return jackknife_error(at);
  };
  if (of.model != CorrelatorModel::constant)
    for (int t = of.first; t <= of.last; ++t)
      if (!(std::abs(mean[std::size_t(t)]) > error_at(t)) || mean[std::size_t(t)] * mean[std::size_t(of.first)] < 0)
        of.last = t - 1;
  const int points = of.last - of.first + 1;
  if (points <= parameters) fail("the correlator is lost in noise beyond t = {}: too few times to fit", of.last);
  result.shrinkage = of.shrinkage >= 0 ? of.shrinkage : std::clamp(1 - 0.5 * double(result.bins) / points, 0.0, 1.0);
  if (of.shrinkage < 0 && result.bins <= points) result.shrinkage = 1;

  std::vector<Series> masses_of;  // [range][sample]
  for (int first = of.first; first <= of.last; ++first)
    for (int last = first + parameters; last <= of.last; ++last) {
      Series x;
      for (int t = first; t <= last; ++t) x.push_back(t);
      try {
        const auto start = first_guess(of, mean, first, last);
        if (!start) fail("no mass to begin with");
        std::vector<Series> inside;
        for (const Series& s : samples) inside.push_back(cut(s, first, last));
        const Covariance covariance = jackknife_covariance(inside, result.shrinkage);
        const Model model = model_of(of.model, of.extent);
        Fit best = fit(model, x, cut(mean, first, last), covariance, *start);
        // The inverse of an estimated covariance is too large on average (J. Hartlap et al., A&A 464 (2007) 399).
        const double surplus = double(result.bins) - double(x.size()) - 2;
        if (result.shrinkage == 0 && surplus > 0) {
          best.chi2 *= surplus / double(result.bins - 1);
          best.probability = chi_square_probability(best.chi2, best.degrees);
        }
        RangeFit range{.first = first,
                       .last = last,
                       .mass = mass_of(of.model, best.parameters),
                       .amplitude = best.parameters[0],
                       .chi2 = best.chi2,
                       .probability = best.probability,
                       .degrees = best.degrees};
        Series masses;
        for (const Series& s : inside)
          masses.push_back(mass_of(of.model, fit(model, x, s, covariance, best.parameters).parameters));
        range.error = jackknife_error(masses);
        if (!(range.error > 0) || !std::isfinite(range.error)) fail("no error");
        const int left_out = points - (last - first + 1);
        range.weight = -0.5 * (best.chi2 + 2 * parameters + 2 * left_out);
        result.ranges.push_back(range);
        masses_of.push_back(std::move(masses));
      } catch (const Error&) {
        ++result.not_converged;
      }
    }
  if (result.ranges.empty()) fail("no range of times {} to {} can be fitted", of.first, of.last);

  double largest = -HUGE_VAL, total = 0;
  for (const RangeFit& r : result.ranges) largest = std::max(largest, r.weight);
  for (RangeFit& r : result.ranges) total += r.weight = std::exp(r.weight - largest);
  Series averages(std::size_t(result.bins));
  for (std::size_t i = 0; i < result.ranges.size(); ++i) {
    RangeFit& r = result.ranges[i];
    r.weight /= total;
    result.mass += r.weight * r.mass;
    for (std::size_t b = 0; b < averages.size(); ++b) averages[b] += r.weight * masses_of[i][b];
  }
  for (const RangeFit& r : result.ranges)
    result.systematic += r.weight * (r.mass - result.mass) * (r.mass - result.mass);
  result.systematic = std::sqrt(result.systematic);
  result.statistical = jackknife_error(averages);
  result.error = std::hypot(result.statistical, result.systematic);
  return result;
}

}  // namespace trellis::analysis
