// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Brings a folder of `trellis run` or `trellis measure` that was damaged back to its last whole state.
//
// States of a run are its checkpoints, the configurations that it saved in double precision, and its start. A state is
// usable if nothing that belongs to it or comes before it is damaged or missing in the tables and curves. The newest
// usable one becomes the checkpoint; what was computed after it is computed again by the next `trellis run`, with the
// same bits. Nothing is deleted: what is damaged or replaced is copied to a folder set-aside-1, -2, ... before. Being
// killed does no harm: the same call does it again.

#include <filesystem>

#include "trellis/app/job/progress.hpp"

namespace trellis::app {

struct RepairOptions {
  std::filesystem::path directory;
  std::filesystem::path input;  // instead of <name>.resolved.toml
  std::string name;             // of the run, where the folder holds several
  bool dry_run = false;         // only say
  bool accept_loss = false;     // go on from the newest state, without the rows that are lost
};

// Throws InputError for a folder of no run, or an input of another one. Exit code 0, or 1 where saved configurations
// are damaged, which are left to the user.
int repair_folder(const RepairOptions& options, const Console& console);

}  // namespace trellis::app
