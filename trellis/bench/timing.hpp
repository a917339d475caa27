// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How things are timed: one call to warm up, then at least `repeats` calls and at least `seconds` in all; the median
// counts, because machines are shared and the mean is what the neighbours do.

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace trellis::bench {

struct TimingParameters {
  int repeats = 5;
  double seconds = 0.2;
};

template <class F>
double seconds_of(const F& f) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  f();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class F>
double median_seconds(const TimingParameters& parameters, const F& f) {
  f();
  std::vector<double> times;
  double total = 0;
  while (static_cast<int>(times.size()) < parameters.repeats || total < parameters.seconds) {
    times.push_back(seconds_of(f));
    total += times.back();
  }
  return median(std::move(times));
}

// Several things in turn, so that a drift of the machine meets all of them: the k-th times of each belong together.
// Before each timed call there is one that puts the caches into its state.
template <class... F>
std::array<std::vector<double>, sizeof...(F)> times_in_turn(const TimingParameters& parameters, const F&... f) {
  std::array<std::vector<double>, sizeof...(F)> times;
  double total = 0;
  while (static_cast<int>(times[0].size()) < parameters.repeats || total < parameters.seconds) {
    std::size_t k = 0;
    const auto take = [&](const auto& one) {
      one();
      times[k].push_back(seconds_of(one));
      total += times[k++].back();
    };
    (take(f), ...);
  }
  return times;
}

template <class... F>
std::array<double, sizeof...(F)> medians_in_turn(const TimingParameters& parameters, const F&... f) {
  const auto times = times_in_turn(parameters, f...);
  std::array<double, sizeof...(F)> medians;
  for (std::size_t k = 0; k < medians.size(); ++k) medians[k] = median(times[k]);
  return medians;
}

// Median of a_k / b_k, for times taken in turn.
inline double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) ratios[k] = a[k] / b[k];
  return median(std::move(ratios));
}

}  // namespace trellis::bench
