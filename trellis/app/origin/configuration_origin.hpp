// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a configuration or checkpoint of `trellis run` says about how it was made: the program, the trajectory and the
// seed, and of the input's text the action, the quarks with their masses, smearing, boundaries, background field,
// topological potential and tempering.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace trellis::app {

// Keys and values in this order: program, algorithm, trajectory, seed, then those of the input as there ("action.beta",
// "flavours[0].mass"); of converted and gauge fixed files also what was done, without the headers of the files that
// were read. Empty for files of other programs and formats, and for damaged records: it never throws for those. Reads
// only the text records.
std::vector<std::pair<std::string, std::string>> configuration_origin(const std::filesystem::path& file);

// Whether a file in double precision says that it was converted from one in single precision: its links are those of
// the chain only after rounding.
bool was_in_single_precision(const std::filesystem::path& file);

}  // namespace trellis::app
