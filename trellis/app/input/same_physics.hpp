// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which keys of a run's input decide what its results are. Those that do not (how long the chain is, how often things
// are done, the machine, names of output) may change when a run goes on. So may those that decide how a trajectory is
// computed and not what it samples (integrators, residuals, rational approximations), so that no chain ends at a solver
// that does not converge; but they move bits, so the run says it. Measurements may be added. All others must stay.

#include <filesystem>

#include "trellis/app/input/toml_value.hpp"

namespace trellis::app {

// Keys that may change: "table" or "table.key".
const std::vector<std::string>& free_keys();
// Keys that may change and move bits.
const std::vector<std::string>& tuning_keys();

// The resolved input without the keys that may change.
TomlEntries physics_of(const TomlEntries& resolved);

// What differs between two such inputs in how trajectories are computed, each as
// "solver.metropolis_residual = 1e-10 (was 1e-11)".
std::vector<std::string> changed_tuning(const TomlEntries& stored, const TomlEntries& present);

// What is measured now and was not before, each as "measure.cooling.steps = 50".
std::vector<std::string> new_measurements(const TomlEntries& stored, const TomlEntries& present);

// Throws InputError naming the first other key, with both values, in which two such inputs differ; `where` is the file
// that holds the first.
void require_same_physics(const TomlEntries& stored, const TomlEntries& present, const std::filesystem::path& where);

}  // namespace trellis::app
