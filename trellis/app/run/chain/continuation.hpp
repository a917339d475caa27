// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From which checkpoint a chain continues: the last one; or the previous one if the last, or a result file that belongs
// to it, is damaged. Some trajectories are then recomputed, with the same bits.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/chain/run_log.hpp"

namespace trellis::app {

struct Continuation {
  std::filesystem::path checkpoint;
  SavedChain saved;  // what it says
  // What the input changes from here on (same_physics.hpp): how trajectories are computed, what is measured.
  std::vector<std::string> changed_tuning, new_measurements;

  // How often keys that change bits have been changed, also now.
  std::uint32_t tunings() const { return saved.tunings + (changed_tuning.empty() ? 0 : 1); }
};

// Calls restore, which takes the chain to a checkpoint and throws if it, or what belongs to it, is damaged: for the
// last one, and after an error for the previous one. If that succeeds, sets the last one aside and tells why. Throws
// InputError if the input asks for another chain (same_physics.hpp), and Error, naming what repairs the folder as
// `program`, if there is no intact checkpoint. By all ranks together.
Continuation continue_chain(const RunInput& input, const TrajectoryColumns& columns, const RunLog& log,
                            const std::string& program, const std::function<void(const Continuation&)>& restore);

// For an error while trajectories are under way: up to which of them nothing is lost, and that `command` continues
// from there. Nothing if the checkpoint on the disk cannot be read.
std::optional<std::string> what_is_safe(const RunFolder& folder, const std::string& command);

}  // namespace trellis::app
