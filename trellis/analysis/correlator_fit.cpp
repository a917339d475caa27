// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/correlator_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

double shape(CorrelatorModel kind, double extent, double mass, double t) {
  return std::exp(-mass * t) + (kind == CorrelatorModel::exponential ? 0 : std::exp(-mass * (extent - t)));
}

// Parameters: A, log m, B, log d. Amplitudes may have either sign; masses and gaps are positive.
int parameters_of(CorrelatorModel kind) {
  return kind == CorrelatorModel::constant ? 1 : kind == CorrelatorModel::two_states ? 4 : 2;
}

Model model_of(CorrelatorModel kind, double extent) {
  if (kind == CorrelatorModel::constant) return [](double, std::span<const double> p) { return p[0]; };
  return [kind, extent](double t, std::span<const double> p) {
    const double mass = std::exp(p[1]), ground = p[0] * shape(kind, extent, mass, t);
    return p.size() == 2 ? ground : ground + p[2] * shape(kind, extent, mass + std::exp(p[3]), t);
  };
}

double mass_of(CorrelatorModel kind, const Series& p) {
  return kind == CorrelatorModel::constant ? p[0] : std::exp(p[1]);
}

// Estimated from two neighbouring times near the middle of the range.
Series first_guess(const CorrelatorFitParameters& of, const Series& y, int first, int last) {
  const auto at = [&](int t) { return y[std::size_t(t)]; };
  const int middle = (first + last) / 2;
  if (of.model == CorrelatorModel::constant) return {at(middle)};
  double mass = std::nan("");
  for (int t = middle; t >= first && !(mass > 0); --t)
    mass = of.model == CorrelatorModel::exponential || t + 1 >= of.extent / 2
               ? log_mass(at(t), at(t + 1))
               : cosh_mass(at(t), at(t + 1), t, of.extent);
  if (!(mass > 0) || !std::isfinite(mass)) fail("times {} to {}: no effective mass to begin with", first, last);
  Series start{at(middle) / shape(of.model, of.extent, mass, middle), std::log(mass)};
  if (of.model == CorrelatorModel::two_states) {
    const double gap = std::max(mass, 0.5);
    const double rest = at(first) - start[0] * shape(of.model, of.extent, mass, first);
    start.push_back(rest / std::exp(-(mass + gap) * first));
    start.push_back(std::log(gap));
  }
  return start;
}

// The data that all ranges are fitted to.
struct Data {
  CorrelatorFitParameters of;
  Series mean;
  std::vector<Series> samples;  // jackknife samples, [sample][t]
  double shrinkage = 0;

  // The last time before the signal is lost in noise or changes sign.
  int last_with_signal() const {
    for (int t = of.first; t <= of.last; ++t) {
      Series at;
      for (const Series& s : samples) at.push_back(s[std::size_t(t)]);
      const double here = mean[std::size_t(t)];
      if (!(std::abs(here) > jackknife_error(at)) || here * mean[std::size_t(of.first)] < 0) return t - 1;
    }
    return of.last;
  }
};

Series cut(const Series& all, int first, int last) { return {all.begin() + first, all.begin() + last + 1}; }

// Also returns the mass for each sample. `weight` still holds the logarithm of the weight.
std::pair<RangeFit, Series> fit_range(const Data& data, int first, int last) {
  const auto& of = data.of;
  Series x;
  for (int t = first; t <= last; ++t) x.push_back(t);
  std::vector<Series> inside;
  for (const Series& s : data.samples) inside.push_back(cut(s, first, last));
  const Covariance covariance = jackknife_covariance(inside, data.shrinkage);
  const Model model = model_of(of.model, of.extent);
  Fit best = fit(model, x, cut(data.mean, first, last), covariance, first_guess(of, data.mean, first, last));
  // The inverse of an estimated covariance is too large on average (J. Hartlap et al., A&A 464 (2007) 399).
  const double bins = double(data.samples.size()), surplus = bins - double(x.size()) - 2;
  if (data.shrinkage == 0 && surplus > 0) {
    best.chi2 *= surplus / (bins - 1);
    best.probability = chi_square_probability(best.chi2, best.degrees);
  }
  Series masses;
  for (const Series& s : inside)
    masses.push_back(mass_of(of.model, fit(model, x, s, covariance, best.parameters).parameters));
  const int left_out = of.last - of.first - (last - first);
  const RangeFit range{.first = first,
                       .last = last,
                       .mass = mass_of(of.model, best.parameters),
                       .error = jackknife_error(masses),
                       .amplitude = best.parameters[0],
                       .chi2 = best.chi2,
                       .probability = best.probability,
                       .degrees = best.degrees,
                       .weight = -0.5 * (best.chi2 + 2 * parameters_of(of.model) + 2 * left_out)};
  if (!(range.error > 0) || !std::isfinite(range.error)) fail("times {} to {}: a mass without an error", first, last);
  return {range, masses};
}

}  // namespace

CorrelatorFit fit_correlator(std::span<const Series> correlators, const CorrelatorFitParameters& asked) {
  Data data{.of = asked, .mean = {}, .samples = {}};
  auto& of = data.of;
  const auto count = std::int64_t(correlators.size());
  if (count < 4) fail("a correlator of {} configurations cannot be fitted; expected at least 4", count);
  if (of.last == 0) of.last = of.extent / 2;
  of.last = std::min(of.last, int(correlators[0].size()) - 1);
  const int parameters = parameters_of(of.model);
  if (of.first < 0 || of.last - of.first + 1 <= parameters)
    fail("times {} to {} are too few to fit {} parameters", of.first, of.last, parameters);

  std::vector<Series> by_time(correlators[0].size());
  for (const Series& c : correlators)
    for (std::size_t t = 0; t < by_time.size(); ++t) by_time[t].push_back(c[t]);
  for (const Series& one : by_time) data.mean.push_back(gamma_method(one).mean);
  const auto bins_at = [&](int t) { return independent_bins(gamma_method(by_time[std::size_t(t)])); };
  CorrelatorFit result;
  result.bins = of.bins > 0 ? std::min(of.bins, count) : std::min(bins_at(of.first), bins_at((of.first + of.last) / 2));
  data.samples = leave_one_out(by_time, result.bins);

  if (of.model != CorrelatorModel::constant) of.last = data.last_with_signal();
  const int points = of.last - of.first + 1;
  if (points <= parameters) fail("the correlator is lost in noise after t = {}: too few times to fit", of.last);
  // No shrinkage if there are at least twice as many bins as times; with no more bins than times, only the diagonal
  // is kept.
  const double needed = result.bins <= points ? 1 : std::clamp(1 - 0.5 * double(result.bins) / points, 0.0, 1.0);
  result.shrinkage = data.shrinkage = of.shrinkage.value_or(needed);

  std::vector<Series> masses;  // [range][sample]
  for (int first = of.first; first <= of.last; ++first)
    for (int last = first + parameters; last <= of.last; ++last) try {
        auto [range, of_samples] = fit_range(data, first, last);
        result.ranges.push_back(range);
        masses.push_back(std::move(of_samples));
      } catch (const Error&) {
        ++result.not_converged;
      }
  if (result.ranges.empty()) fail("no range of times {} to {} can be fitted", of.first, of.last);

  double largest = -HUGE_VAL, total = 0;
  for (const RangeFit& r : result.ranges) largest = std::max(largest, r.weight);
  for (RangeFit& r : result.ranges) total += r.weight = std::exp(r.weight - largest);
  Series averages(data.samples.size());
  for (std::size_t i = 0; i < result.ranges.size(); ++i) {
    RangeFit& r = result.ranges[i];
    r.weight /= total;
    result.mass += r.weight * r.mass;
    for (std::size_t b = 0; b < averages.size(); ++b) averages[b] += r.weight * masses[i][b];
  }
  double variance = 0;
  for (const RangeFit& r : result.ranges) variance += r.weight * (r.mass - result.mass) * (r.mass - result.mass);
  result.systematic = std::sqrt(variance);
  result.statistical = jackknife_error(averages);
  result.error = std::hypot(result.statistical, result.systematic);
  return result;
}

}  // namespace trellis::analysis
