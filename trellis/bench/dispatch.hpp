// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a dispatch costs in the default host space: kernels that do nothing, each in turn with the OpenMP region that
// somebody would write by hand instead.
//   parallel_for, TeamPolicy      a bare `#pragma omp parallel`
//   parallel_reduce               a loop with reduction(+ : sum) of as many ones
//   parallel_scan                 two bare regions, as it passes twice over the work
// and parallel_for once more while a profile, and while a listener hears of it. In a build without OpenMP "by hand" is
// a loop.

#include <string>
#include <vector>

#include "trellis/core/spaces.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct DispatchFigure {
  std::string kernel;
  Index length = 0;
  double seconds = 0, by_hand_seconds = 0;  // of one call, medians
  double overhead_seconds = 0;              // median of the differences
};

// Each time is of `calls` calls, one right after the other.
std::vector<DispatchFigure> dispatch_figures(const tuning::TimingParameters& timing, int calls = 200);

}  // namespace trellis::bench
