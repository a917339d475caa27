// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/correlator_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// The data that all ranges are fitted to.
struct Data {
  CorrelatorFitParameters of;
  Series mean;
  std::vector<Series> samples;  // jackknife samples, [sample][t]
  double shrinkage = 0;

  CorrelatorShape shape() const { return {of.model, of.extent, of.antiperiodic}; }

  bool is_noise(int t) const {
    Series at;
    for (const Series& s : samples) at.push_back(s[std::size_t(t)]);
    return !(std::abs(mean[std::size_t(t)]) > jackknife_error(at));
  }
  // The last time before the signal is lost in noise or changes sign; two states of alternating signs may cancel at one
  // time, but not at the next one too.
  int last_with_signal() const {
    const bool two = has_partner(of.model);
    for (int t = of.first; t <= of.last; ++t)
      if (two ? is_noise(t) && is_noise(std::min(t + 1, of.last))
              : is_noise(t) || mean[std::size_t(t)] * mean[std::size_t(of.first)] < 0)
        return t - 1;
    return of.last;
  }
};

Series cut(const Series& all, int first, int last) { return {all.begin() + first, all.begin() + last + 1}; }

// A range, and its masses for each sample. The `weight` is still its logarithm.
struct FittedRange {
  RangeFit range;
  Series masses, partners;
};

FittedRange fit_range(const Data& data, int first, int last) {
  const auto& of = data.of;
  const CorrelatorShape shape = data.shape();
  Series x;
  for (int t = first; t <= last; ++t) x.push_back(t);
  std::vector<Series> inside;
  for (const Series& s : data.samples) inside.push_back(cut(s, first, last));
  const auto [best, samples] = jackknife_fit(shape.function(), x, cut(data.mean, first, last), inside, data.shrinkage,
                                             shape.first_guesses(data.mean, first, last), shape.amplitudes());
  FittedRange found;
  for (const Series& parameters : samples) {
    found.masses.push_back(shape.mass(parameters));
    found.partners.push_back(shape.partner(parameters));
  }
  const int left_out = of.last - of.first - (last - first);
  found.range = {.first = first,
                 .last = last,
                 .mass = shape.mass(best.parameters),
                 .error = jackknife_error(found.masses),
                 .partner = shape.partner(best.parameters),
                 .partner_error = jackknife_error(found.partners),
                 .amplitude = best.parameters[0],
                 .chi2 = best.chi2,
                 .probability = best.probability,
                 .degrees = best.degrees,
                 .weight = -0.5 * (best.chi2 + 2 * shape.parameters() + 2 * left_out)};
  const auto& range = found.range;
  if (!(range.error > 0) || !std::isfinite(range.error)) fail("times {} to {}: a mass without an error", first, last);
  return found;
}

// The average of a mass over ranges, and its errors.
struct Average {
  double value = 0, statistical = 0, systematic = 0;
};
Average average(const std::vector<FittedRange>& all, double RangeFit::* mass, Series FittedRange::* of_samples) {
  Average a;
  Series samples((all.front().*of_samples).size());
  for (const auto& r : all) {
    a.value += r.range.weight * r.range.*mass;
    for (std::size_t b = 0; b < samples.size(); ++b) samples[b] += r.range.weight * (r.*of_samples)[b];
  }
  double variance = 0;
  for (const auto& r : all) variance += r.range.weight * std::pow(r.range.*mass - a.value, 2);
  a.systematic = std::sqrt(variance);
  a.statistical = jackknife_error(samples);
  return a;
}

}  // namespace

const RangeFit& CorrelatorFit::best_range() const { return *std::ranges::max_element(ranges, {}, &RangeFit::weight); }

CorrelatorFit fit_correlator(std::span<const Series> correlators, const CorrelatorFitParameters& asked) {
  Data data{.of = asked, .mean = {}, .samples = {}};
  auto& of = data.of;
  const auto count = std::int64_t(correlators.size());
  if (count < fewest_for_error)
    fail("{} not enough for an error of a mass; expected at least {}",
         plural(std::int64_t(count), "configuration", "is", "are"), fewest_for_error);
  if (of.last == 0) of.last = of.extent / 2;
  of.last = std::min(of.last, int(correlators[0].size()) - 1);
  if (of.model == CorrelatorModel::staggered_baryon) of.last = std::min(of.last, of.extent / 2 - 1);
  const int parameters = data.shape().parameters();
  if (of.first < 0 || of.last - of.first + 1 <= parameters)
    fail("times {} to {} are too few to fit {} parameters", of.first, of.last, parameters);

  std::vector<Series> by_time(correlators[0].size());
  for (const Series& c : correlators)
    for (std::size_t t = 0; t < by_time.size(); ++t) by_time[t].push_back(c[t]);
  std::vector<MeanEstimate> estimates;
  for (const Series& one : by_time) {
    estimates.push_back(gamma_method(one));
    data.mean.push_back(estimates.back().mean);
  }
  const Bins bins = jackknife_bins(
      std::array{estimates[std::size_t(of.first)], estimates[std::size_t(of.first + of.last) / 2]}, of.bins);
  CorrelatorFit result;
  result.bins = bins.count;
  data.samples = leave_one_out(by_time, bins.count);
  widen(data.samples, bins.variance_factor);

  if (of.model != CorrelatorModel::constant) of.last = data.last_with_signal();
  const int points = of.last - of.first + 1;
  if (points <= parameters) fail("the correlator is lost in noise after t = {}: too few times to fit", of.last);
  result.shrinkage = data.shrinkage = of.shrinkage.value_or(least_shrinkage(result.bins, points));

  std::vector<FittedRange> all;
  for (int first = of.first; first <= of.last; ++first)
    for (int last = first + parameters; last <= of.last; ++last) try {
        all.push_back(fit_range(data, first, last));
      } catch (const Error&) {
        ++result.not_converged;
      }
  if (all.empty()) fail("no range of times {} to {} can be fitted", of.first, of.last);

  double largest = -HUGE_VAL, total = 0;
  for (const auto& r : all) largest = std::max(largest, r.range.weight);
  for (auto& r : all) total += r.range.weight = std::exp(r.range.weight - largest);
  for (auto& r : all) {
    r.range.weight /= total;
    result.ranges.push_back(r.range);
  }
  const auto mass = average(all, &RangeFit::mass, &FittedRange::masses),
             partner = average(all, &RangeFit::partner, &FittedRange::partners);
  result.mass = mass.value;
  result.statistical = mass.statistical;
  result.systematic = mass.systematic;
  result.error = std::hypot(mass.statistical, mass.systematic);
  result.partner = partner.value;
  result.partner_error = std::hypot(partner.statistical, partner.systematic);
  return result;
}

}  // namespace trellis::analysis
