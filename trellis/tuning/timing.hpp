// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How things are timed: one call to warm up, then at least `repeats` calls and at least `seconds` in total; the median
// counts, because machines are shared and the mean depends on other users. GPU kernels are waited for, but many are
// launched at once (calls_at_once): the time of a single one would include its launch and the host's wait.

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "trellis/core/base/median.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::tuning {

struct TimingParameters {
  int repeats = 5;
  double seconds = 0.2;
};

// Seconds per call, when this many are launched at once.
template <class F>
double seconds_of(const F& f, int calls = 1) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int n = 0; n < calls; ++n) f();
  fence();
  return std::chrono::duration<double>(Clock::now() - start).count() / calls;
}

// 1 if kernels are complete when their dispatch returns; otherwise as many as take two milliseconds. Warms up.
template <class F>
int calls_at_once(const F& f) {
  if constexpr (kernels_on_host) {
    return 1;
  } else {
    f();
    const double seconds = std::min(seconds_of(f), seconds_of(f, 4));
    return static_cast<int>(std::clamp(2e-3 / seconds, 1.0, 500.0));
  }
}

template <class F>
double median_seconds(const TimingParameters& parameters, const F& f) {
  f();
  const int calls = calls_at_once(f);
  std::vector<double> times;
  double total = 0;
  while (static_cast<int>(times.size()) < parameters.repeats || total < parameters.seconds) {
    times.push_back(seconds_of(f, calls));
    total += times.back() * calls;
  }
  return median(std::move(times));
}

// Times several things alternately, so that a drift of the machine affects all of them: the k-th times of each belong
// together. Before each timed call there is an untimed one, so that caches are in its state.
template <class... F>
std::array<std::vector<double>, sizeof...(F)> times_in_turn(const TimingParameters& parameters, const F&... f) {
  std::array<std::vector<double>, sizeof...(F)> times;
  const std::array<int, sizeof...(F)> calls{calls_at_once(f)...};
  double total = 0;
  while (static_cast<int>(times[0].size()) < parameters.repeats || total < parameters.seconds) {
    std::size_t k = 0;
    const auto take = [&](const auto& one) {
      one();
      fence();
      times[k].push_back(seconds_of(one, calls[k]));
      total += times[k].back() * calls[k];
      ++k;
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

// Median of a_k / b_k, for times taken alternately.
inline double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) ratios[k] = a[k] / b[k];
  return median(std::move(ratios));
}

}  // namespace trellis::tuning
