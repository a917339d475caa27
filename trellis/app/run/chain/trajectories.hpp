// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The trajectories of one call of the program: each is followed by its measurements, its row and the files that are
// due, until the chain ends (hmc/chain.hpp), is interrupted, or has a reason to stop (stop_reason.hpp).

#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/run/chain/chain_algorithm.hpp"
#include "trellis/app/run/chain/chain_files.hpp"
#include "trellis/app/run/chain/chain_progress.hpp"
#include "trellis/app/run/chain/stop_reason.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/hmc/chain.hpp"

namespace trellis::app {

template <int W>
struct TrajectoryParts {
  const RunInput& input;
  const ObservableColumns& observables;
  ChainAlgorithm<W>& algorithm;
  ChainFiles<W>& files;
  ChainProgress& progress;
  const InterruptGuard& interrupt;
  const Stopwatch& since_start;         // of the call: when its time budget begins
  double seconds_before = 0;            // of which this was used up earlier
  std::optional<double> grace_seconds;  // RunOptions
  bool may_choose_again = false;        // the chain stops if its steps do not fit
  bool measured_beside_chain = true;    // otherwise the work space of the algorithm is freed while quarks are measured
};

struct TrajectoriesDone {
  hmc::ChainResult result;
  std::optional<StopReason> stop = {};  // on the first rank: why it stopped, if that was the reason
  int signal = 0;                       // that a rank received; 0: none
  RunTimes times = {};                  // without the crowd
  std::vector<KernelTotals> kernels = {};
  std::string filter = {};  // TrajectoryNotes::filter_text()
};

// Advances the state. By all ranks together; if it throws in a job of one, all that was saved before is in place.
template <int W>
TrajectoriesDone run_trajectories(const TrajectoryParts<W>& parts, hmc::ChainState<double, W>& state);

}  // namespace trellis::app
