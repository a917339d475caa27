// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// `trellis run --check`: whether a run could start or continue.

#include "trellis/app/input/input.hpp"
#include "trellis/app/job/progress.hpp"

namespace trellis::app {

// What run_chain() checks before it writes anything: folder, process grid, lanes, start file (read completely),
// quarks and integrator (rational approximations are computed), and whether the input fits the checkpoint in the
// folder. Then a summary, with memory and disk. Throws as run_chain() does; returns 0. Needs the memory of a run.
int check_run(const RunInput& input, const Console& console);

}  // namespace trellis::app
