// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The boundary in time of an input, and what the record trellis-input of a configuration file says of it.

#include <filesystem>
#include <optional>

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/toml_reader.hpp"

namespace trellis::app {

// phi or phi': the third angle is minus the sum of the two that are given.
std::array<double, 3> read_angles(const Table& table, const char* key);

// boundary, time_extent, phi and phi_prime of [lattice]; c_G, boundary_rectangles and c_G_rectangles of [action]; the
// weights are those of the action. Keys of periodic lattices are not among those of a resolved input, as in those of
// earlier versions.
gauge::Boundary read_boundary(const Table& lattice, const Table& action, const ActionInput& weights,
                              const Coordinate& size);

// [configurations] boundary, and what goes with it; nothing without it. Not among the keys of a resolved input unless
// given, for compatibility with inputs of earlier versions.
void read_boundary_of_files(const Table& configurations, MeasureInput& input);

// Of the run that wrote this file; nothing if no run did, or its boundary is not known to this version.
std::optional<gauge::Boundary> recorded_boundary(const std::filesystem::path& file);

}  // namespace trellis::app
