// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which keys of a run's input decide what its results are. Those that do not (how long the chain is, how often things
// are done, the machine, names of output) may change when a run goes on; all others must stay.

#include <filesystem>

#include "trellis/app/toml_value.hpp"

namespace trellis::app {

// Keys that may change: "table" or "table.key".
const std::vector<std::string>& free_keys();

// The resolved input without the keys that may change.
TomlEntries physics_of(const TomlEntries& resolved);

// Throws InputError naming the first key, with both values, in which two such inputs differ; `where` is the file that
// holds the first.
void require_same_physics(const TomlEntries& stored, const TomlEntries& present, const std::filesystem::path& where);

}  // namespace trellis::app
