// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a dispatch costs in the default host space: kernels that do nothing, timed alternately with the OpenMP region
// that one would write by hand instead.
//   parallel_for, TeamPolicy      a bare `#pragma omp parallel`
//   parallel_reduce               a loop with reduction(+ : sum) over the same number of ones
//   parallel_scan                 two bare regions, as it passes over the work twice
// and parallel_for once more with an active profile, and with a listener. In a build without OpenMP the "by hand"
// version is a loop.

#include <string>
#include <vector>

#include "trellis/core/spaces.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct DispatchFigure {
  std::string kernel;
  Index length = 0;
  double seconds = 0, by_hand_seconds = 0;  // per call, medians
  double overhead_seconds = 0;              // median of the differences
};

// Each time is that of `calls` successive calls.
std::vector<DispatchFigure> dispatch_figures(const tuning::TimingParameters& timing, int calls = 200);

}  // namespace trellis::bench
