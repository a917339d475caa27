// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Takes a damaged folder of `trellis run` or `trellis measure` back to its last intact state.
//
// The states of a run are its checkpoints, the configurations that it saved in double precision, and its start. A state
// is usable if nothing that belongs to it or precedes it is damaged or missing in the tables and curves. The newest
// usable state becomes the checkpoint; the next `trellis run` recomputes everything after it, with the same bits.
// Nothing is deleted: files that are damaged or replaced are first copied to a folder set-aside-1, -2, ... If it is
// killed, call it again.

#include <filesystem>

#include "trellis/app/job/progress.hpp"

namespace trellis::app {

struct RepairOptions {
  std::filesystem::path directory;
  std::filesystem::path input;  // instead of <name>.resolved.toml
  std::string name;             // of the run, where the folder holds several
  bool dry_run = false;         // only report
  bool accept_loss = false;     // continue from the newest state, without the lost rows
};

// Throws InputError for a folder that holds no run, or the input of another run. Exit code 0, or 1 if saved
// configurations are damaged; these are left to the user.
int repair_folder(const RepairOptions& options, const Console& console);

}  // namespace trellis::app
