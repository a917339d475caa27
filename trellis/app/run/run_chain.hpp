// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The main job: a chain of gauge fields from an input, with its table, files, checkpoints and progress line.
//
// On several ranks all call run_chain(), with the same input; the first has the table, the log and the console.
// Everything is checked before anything is written. The chain continues from the checkpoint in its folder if there is
// one (same_physics.hpp says what may have changed), otherwise it starts. The order of writing makes a kill harmless at
// any moment: a row is on disk before the next trajectory begins; configurations and flow curves are on disk before the
// checkpoint that covers them, which replaces the last one when all of it is on disk, perhaps in a later trajectory
// (results/link_files.hpp); and whatever lies beyond the checkpoint is dropped, or written again with the same bits,
// when the run continues.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/results/folder_lock.hpp"

namespace trellis::app {

// Exit codes besides 0 (all trajectories are done, or the results are as precise as asked) and those of Error.
inline constexpr int stopped_early = 3;        // time budget or stop file; the same command continues
inline constexpr int stopped_by_signal = 128;  // plus the number of the signal
// No exit code: see RunOptions::may_choose_again.
inline constexpr int steps_do_not_fit = -1;

struct RunOptions {
  // Between a stop signal and the kill that follows; if given, a trajectory that would take longer is stopped.
  std::optional<double> grace_seconds = {};
  // What the choice of an algorithm took of the time budget.
  double seconds_before = 0;
  // Of 127.0.0.1, where browsers see the report of the run while it is going (report/live_report.hpp); 0: any free one.
  std::optional<std::uint16_t> watch_port = {};
  // Whether the input that is run was chosen by kind = "auto".
  bool chosen = false;
  // Whether the chain ends with a checkpoint, and `steps_do_not_fit`, if at the end of thermalisation its steps turn
  // out to be too long (reconsider.hpp).
  bool may_choose_again = false;
  // What measurements of quarks assume that a rank may have in all, in bytes (job/memory_limit.hpp); default: what it
  // finds.
  std::optional<double> memory_of_rank = {};
};

// The program's name as typed, and the whole command, are for the last lines of output. lock: of the folder, if the
// first rank has it already.
int run_chain(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
              const RunOptions& options = {}, std::unique_ptr<FolderLock> lock = nullptr);

}  // namespace trellis::app
