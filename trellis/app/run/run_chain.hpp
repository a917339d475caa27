// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The main job: a chain of gauge fields from an input, with its table, files, checkpoints and progress line.
//
// On several ranks all call run_chain(), with the same input; the first has the table, the log and the console.
// Everything is checked before anything is written. The chain goes on from the checkpoint in its folder if there is one
// (same_physics.hpp says what may have changed), else it starts. The order of writing makes a kill harmless at any
// moment: a row is on the disk before the next trajectory begins; configurations and flow curves are before the
// checkpoint that covers them; what is beyond the checkpoint is dropped, or written again with the same bits, when
// the run goes on.

#include "trellis/app/input/input.hpp"
#include "trellis/app/job/progress.hpp"

namespace trellis::app {

// Exit codes beside 0 (all trajectories are done) and those of Error.
inline constexpr int stopped_early = 3;        // time budget or stop file; the same command goes on
inline constexpr int stopped_by_signal = 128;  // plus the number of the signal

// The program as it was called, and the whole command, are for the last lines. grace_seconds: so long after a signal
// that asks to stop the process will be killed; what is given stops a trajectory that would take longer.
int run_chain(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
              std::optional<double> grace_seconds = {});

}  // namespace trellis::app
