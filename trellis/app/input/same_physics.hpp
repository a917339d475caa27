// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which keys of a run's input determine its results. Keys that do not (the chain's length, how often things are done,
// the machine, names of output) may change when a run continues. So may those that decide how a trajectory is computed
// but not what it samples (integrators, residuals, rational approximations), so that no chain is stuck with a solver
// that does not converge; but they change bits, so the run reports it. Measurements may be added. All others must stay.

#include <filesystem>

#include "trellis/app/input/toml_value.hpp"

namespace trellis::app {

// Keys that may change: "table" or "table.key".
const std::vector<std::string>& free_keys();
// Keys that may change, but change bits.
const std::vector<std::string>& tuning_keys();

// The resolved input without the keys that may change.
TomlEntries physics_of(const TomlEntries& resolved);

// How trajectories are computed differently by two such inputs, one entry per change:
// "solver.metropolis_residual = 1e-10 (was 1e-11)".
std::vector<std::string> changed_tuning(const TomlEntries& stored, const TomlEntries& present);

// What is measured now but was not before: "measure.cooling.steps = 50".
std::vector<std::string> new_measurements(const TomlEntries& stored, const TomlEntries& present);

// Throws InputError naming the first other key in which two such inputs differ, with both values; `where` is the file
// that holds the first.
void require_same_physics(const TomlEntries& stored, const TomlEntries& present, const std::filesystem::path& where);

}  // namespace trellis::app
