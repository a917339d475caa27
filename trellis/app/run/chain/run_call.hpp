// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One call of the program on the folder of a chain: the chain starts there, or continues from its checkpoint, and goes
// on until it ends (trajectories.hpp). run_chain.hpp says what can be relied on.

#include <memory>
#include <string>

#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/report/live_report.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/comm/process_grid.hpp"

namespace trellis::app {

// What a call was given, and what was chosen for it.
struct RunCall {
  const RunInput& input;
  const comm::ProcessGrid& grid;
  const std::string &program, &command;
  ThreadChoice& threads;
  const KernelSettings& kernels;
  const Console& console;
  const RunOptions& options;
  LiveReport* live;  // on the first rank, if somebody wants it
};

// On a lattice of W lanes; returns the exit code. lock: as of run_chain().
template <int W>
int run_call(const RunCall& call, std::unique_ptr<FolderLock> lock);

}  // namespace trellis::app
