// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The boundary in time of the run that saved a configuration, from the file's record trellis-input.

#include <filesystem>
#include <optional>

#include "trellis/gauge/boundary/boundary.hpp"

namespace trellis::app {

// Nothing if no run saved this file, or its boundary is not known to this version.
std::optional<gauge::Boundary> recorded_boundary(const std::filesystem::path& file);
// The same, if it is a Schroedinger functional.
std::optional<gauge::Boundary> recorded_functional(const std::filesystem::path& file);

}  // namespace trellis::app
