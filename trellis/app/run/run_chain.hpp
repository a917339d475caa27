// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The main job: a chain of gauge fields from an input, with its table, files, checkpoints and progress line.
//
// On several ranks all call run_chain(), with the same input; the first has the table, the log and the console.
// Everything is checked before anything is written. The chain continues from the checkpoint in its folder if there is
// one (same_physics.hpp says what may have changed), otherwise it starts. The order of writing makes a kill harmless at
// any moment: a row is on disk before the next trajectory begins; configurations and flow curves are on disk before the
// checkpoint that covers them; and whatever lies beyond the checkpoint is dropped, or written again with the same bits,
// when the run continues.

#include "trellis/app/input/input.hpp"
#include "trellis/app/job/progress.hpp"

namespace trellis::app {

// Exit codes besides 0 (all trajectories are done) and those of Error.
inline constexpr int stopped_early = 3;        // time budget or stop file; the same command continues
inline constexpr int stopped_by_signal = 128;  // plus the number of the signal

// The program's name as typed, and the whole command, are for the last lines of output. grace_seconds: the time between
// a stop signal and the kill that follows; if given, a trajectory that would take longer is stopped.
int run_chain(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
              std::optional<double> grace_seconds = {});

}  // namespace trellis::app
