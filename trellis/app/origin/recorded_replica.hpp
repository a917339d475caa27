// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a configuration is that of a replica of parallel tempering with a defect: its links sample another action
// than that of its run.

#include <filesystem>
#include <optional>
#include <string>

namespace trellis::app {

// "replica 1 of parallel tempering, with coupling 0.7 at the defect", from the record trellis-provenance. Nothing for
// the periodic replica, and for files that do not say it.
std::optional<std::string> recorded_replica(const std::filesystem::path& file);

// A warning that names the file, if it is one.
void warn_of_replica(const std::filesystem::path& file);

}  // namespace trellis::app
