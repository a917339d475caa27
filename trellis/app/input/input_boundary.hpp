// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The boundary in time of an input.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// InputError for what quarks do not know about a boundary in time: smearings, imaginary_mu, fluxes through planes with
// t.
void require_known_boundary(const gauge::Boundary& boundary, const QuarkInput& quarks);

// That of an input of `trellis run`, whose other sections may be incomplete.
gauge::Boundary parse_boundary(const std::string& text, const std::string& name);

// The same of the lines of a file's record, where only a Schroedinger functional is told; nothing if it is not. Weights
// at the boundaries that no line tells are those without corrections.
std::optional<gauge::Boundary> boundary_in_lines(const std::vector<std::pair<std::string, std::string>>& lines,
                                                 const std::string& name);

}  // namespace trellis::app
