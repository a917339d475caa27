// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How things are timed: one call to warm up, then at least `repeats` calls and at least `seconds` in all; the median
// counts, because machines are shared and the mean is what the neighbours do.

#include <algorithm>
#include <chrono>
#include <vector>

namespace trellis::bench {

struct TimingParameters {
  int repeats = 5;
  double seconds = 0.2;
};

template <class F>
double median_seconds(const TimingParameters& parameters, const F& f) {
  using Clock = std::chrono::steady_clock;
  f();
  std::vector<double> times;
  double total = 0;
  while (static_cast<int>(times.size()) < parameters.repeats || total < parameters.seconds) {
    const auto start = Clock::now();
    f();
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    total += times.back();
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace trellis::bench
