// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a dispatch costs in the default execution space: kernels that do nothing, one index for each thread of the
// space. Where kernels are loops on the host they are timed alternately with the OpenMP region that one would write by
// hand instead:
//   parallel_for, TeamPolicy      a bare `#pragma omp parallel`
//   parallel_reduce               a loop with reduction(+ : sum) over the same number of ones
//   parallel_scan                 two bare regions, as it passes over the work twice
// and parallel_for once more with an active profile, and with a listener. In a build without OpenMP the "by hand"
// version is a loop. In other spaces a dispatch returns before its kernel has run. The time is then that of one of many
// launches in succession, the last of which is waited for; in addition there is parallel_for with a wait after each
// launch. Reductions and scans wait for their result everywhere. There is no version by hand.

#include <optional>
#include <string>
#include <vector>

#include "trellis/core/spaces.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct DispatchFigure {
  struct ByHand {
    double seconds = 0;
    double overhead_seconds = 0;  // median of the differences
  };
  std::string kernel;
  Index length = 0;
  double seconds = 0;             // per call, the median
  std::optional<ByHand> by_hand;  // only where kernels_on_host
};

// Each time is that of `calls` successive calls.
std::vector<DispatchFigure> dispatch_figures(const tuning::TimingParameters& timing, int calls = 200);

}  // namespace trellis::bench
