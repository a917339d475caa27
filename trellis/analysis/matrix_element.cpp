// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/matrix_element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/analysis/fit.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Averages of what R is made of: C_3 and C_f' to begin with, then C_f and C_i, each by time up to T.
struct Averages {
  const Series& of;
  std::size_t sink;
  bool has_root;

  double three_point(std::size_t tau) const { return of[tau]; }
  double at_sink(std::size_t t) const { return of[sink + 1 + t]; }
  double final_state(std::size_t t) const { return of[2 * (sink + 1) + t]; }
  double initial_state(std::size_t t) const { return of[3 * (sink + 1) + t]; }

  double ratio(std::size_t tau) const {
    double r = three_point(tau) / at_sink(sink);
    if (has_root) {
      const double square = initial_state(sink - tau) * final_state(tau) * final_state(sink) /
                            (final_state(sink - tau) * initial_state(tau) * initial_state(sink));
      r *= square > 0 ? std::sqrt(square) : no_number;
    }
    return std::isfinite(r) ? r : no_number;
  }
};

void append_times(const std::vector<Series>& correlators, std::size_t configurations, std::size_t sink,
                  std::vector<Series>& to) {
  if (correlators.size() != configurations)
    fail("{} configurations of a two-point function, {} of the three-point function", correlators.size(),
         configurations);
  for (std::size_t t = 0; t <= sink; ++t) {
    Series& at = to.emplace_back();
    for (const Series& one : correlators) {
      if (one.size() <= sink) fail("correlators end at time {}, before the sink at {}", one.size() - 1, sink);
      at.push_back(one[t]);
    }
  }
}

// R(tau), and its pseudovalues [configuration], NaN if one of them has no signal.
struct Ratio {
  double value = no_number;
  Series pseudovalues;
  bool has_signal() const { return std::isfinite(value); }
};

// By tau, 0 to T; empty at both ends.
std::vector<Ratio> ratios_of(const ThreePointData& data) {
  if (data.sink_time < 1) fail("a sink at time {} has no time between it and the source", data.sink_time);
  const auto sink = std::size_t(data.sink_time), configurations = data.three_point.size();
  if (configurations < std::size_t(fewest_for_error))
    fail("{} not enough for an error; expected at least {}",
         plural(std::int64_t(configurations), "configuration", "is", "are"), fewest_for_error);
  const bool has_root = !data.final_state.empty() || !data.initial_state.empty();
  std::vector<Series> by_time;
  append_times(data.three_point, configurations, sink, by_time);
  append_times(data.at_sink, configurations, sink, by_time);
  if (has_root) {
    append_times(data.final_state, configurations, sink, by_time);
    append_times(data.initial_state, configurations, sink, by_time);
  }
  Series means;
  for (const Series& one : by_time) means.push_back(gamma_method(one).mean);
  const auto without_one = leave_one_out(by_time, std::int64_t(configurations));
  std::vector<Ratio> ratios(sink + 1);
  const double n = double(configurations);
  for (std::size_t tau = 1; tau < sink; ++tau) {
    Ratio& r = ratios[tau];
    r.value = Averages{means, sink, has_root}.ratio(tau);
    for (const Series& averages : without_one) {
      r.pseudovalues.push_back(n * r.value - (n - 1) * Averages{averages, sink, has_root}.ratio(tau));
      if (!std::isfinite(r.pseudovalues.back())) r.value = no_number;
    }
  }
  return ratios;
}

// The times around the middle at which all ratios have a signal.
struct Range {
  int first, last;
};
Range range_with_signal(const std::vector<Ratio>& ratios, int distance) {
  const int sink = int(ratios.size()) - 1;
  Range range{sink / 2 + 1, sink / 2};
  const auto usable = [&](int tau) {
    return tau >= distance && tau <= sink - distance && ratios[std::size_t(tau)].has_signal();
  };
  if (!usable(sink / 2)) return range;
  for (range.first = sink / 2; usable(range.first - 1);) --range.first;
  while (usable(range.last + 1)) ++range.last;
  return range;
}

}  // namespace

MatrixElement matrix_element(const ThreePointData& data, const PlateauParameters& parameters) {
  const auto ratios = ratios_of(data);
  MatrixElement found;
  for (int tau = 1; tau < data.sink_time; ++tau) {
    const Ratio& r = ratios[std::size_t(tau)];
    found.ratios.push_back({tau, r.value, r.has_signal() ? gamma_method(r.pseudovalues).error : no_number});
  }
  const Range range = range_with_signal(ratios, std::max(1, parameters.distance));
  try {
    if (range.last - range.first < 1)
      fail("fewer than two times between source and sink, at least {} from both, have a signal",
           std::max(1, parameters.distance));
    // Times that are not used are left as they are.
    std::vector<Series> pseudovalues(data.three_point.size(), Series(std::size_t(range.last) + 1));
    for (std::size_t n = 0; n < pseudovalues.size(); ++n)
      for (int tau = range.first; tau <= range.last; ++tau)
        pseudovalues[n][std::size_t(tau)] = ratios[std::size_t(tau)].pseudovalues[n];
    found.plateau = fit_correlator(pseudovalues, {.model = CorrelatorModel::constant,
                                                  .extent = data.sink_time,
                                                  .first = range.first,
                                                  .last = range.last,
                                                  .bins = parameters.bins,
                                                  .shrinkage = parameters.shrinkage});
  } catch (const Error& error) {
    found.problem = error.what();
  }
  return found;
}

SummedRatios summed_ratios(std::span<const ThreePointData> data, const PlateauParameters& parameters) {
  Series times;
  std::vector<Series> sums;  // [sink time][configuration]
  const int distance = std::max(1, parameters.distance);
  for (const ThreePointData& one : data) {
    if (std::find(times.begin(), times.end(), one.sink_time) != times.end())
      fail("the sink time {} is there twice", one.sink_time);
    const auto ratios = ratios_of(one);
    Series sum(one.three_point.size());
    int terms = 0;
    for (int tau = distance; tau <= one.sink_time - distance; ++tau, ++terms) {
      const Ratio& r = ratios[std::size_t(tau)];
      if (!r.has_signal()) fail("the ratio at tau = {} of the sink time {} has no signal", tau, one.sink_time);
      for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += r.pseudovalues[n];
    }
    if (terms == 0) continue;
    times.push_back(one.sink_time);
    sums.push_back(std::move(sum));
  }
  if (times.size() < 2) fail("a slope takes two sink times, each with a time between source and sink");
  for (const Series& one : sums)
    if (one.size() != sums.front().size()) fail("sink times have different numbers of configurations");
  Series means;
  std::vector<MeanEstimate> estimates;
  for (const Series& one : sums) {
    estimates.push_back(gamma_method(one));
    means.push_back(estimates.back().mean);
  }
  const Bins bins = jackknife_bins(estimates, parameters.bins);
  auto samples = leave_one_out(sums, bins.count);
  widen(samples, bins.variance_factor);
  const double shrinkage = parameters.shrinkage.value_or(least_shrinkage(bins.count, std::int64_t(times.size())));
  const Model line = [](double t, std::span<const double> p) { return p[0] + p[1] * t; };
  const double rise = (means.back() - means.front()) / (times.back() - times.front());
  const Fit best = jackknife_fit(line, times, means, samples, shrinkage,
                                 std::vector<Series>{{means.front() - rise * times.front(), rise}})
                       .best;
  return {.slope = best.parameters[1],
          .error = best.errors[1],
          .constant = best.parameters[0],
          .constant_error = best.errors[0],
          .chi2 = best.chi2,
          .probability = best.probability,
          .degrees = best.degrees};
}

}  // namespace trellis::analysis
