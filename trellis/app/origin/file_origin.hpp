// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What result files say about themselves: which program made them, from which input, on which lattice, and what their
// arrays and columns mean. HDF5 files say it in attributes (below), tables in a file beside them
// (table_descriptions.hpp), because checks cover every line of a table.
//
// Attributes of the file ("/"):
//   program, commit   "trellis 0.1.0", and the commit that was built
//   command           "trellis run" or "trellis measure"
//   lattice           extents in x, y, z, t, if all configurations have the same
//   seed, flavours    of the chain: "l: mass 0.05, 2 tastes"
//   input             TOML that makes these results again (`trellis reproduce`): every key with its default, except
//                     [machine], [output] and others that have no effect on them
//   table             name of the table with one row per configuration
// of an array: long_name, units (in powers of the lattice spacing a; "1" for pure numbers), and DIMENSION_LABELS, the
// names of its dimensions as the HDF5 dimension scales library stores them. The dimension that counts configurations
// is called "configuration".

#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {

struct FileOrigin {
  std::string command;
  std::string table;
  std::optional<Coordinate> size;
  std::optional<std::int64_t> seed;
  std::vector<std::string> flavours;
  TomlEntries input;
};

FileOrigin origin_of(const RunInput& input);
// size: of the configurations, if all have the same.
FileOrigin origin_of(const MeasureInput& input, const std::optional<Coordinate>& size);

// Of the configurations to be measured, from the header of each; nothing if they differ, or if one is missing or
// damaged.
std::optional<Coordinate> common_size(const MeasureInput& input);

// The keys of a resolved input that result files depend on.
TomlEntries input_of_results(const TomlEntries& resolved);

// The value of "table.key" in a document, added where it is missing; std::nullopt removes it.
void set_key(TomlEntries& document, const std::string& table, const std::string& key,
             const std::optional<TomlValue>& value);

// Sets chain.trajectories; a thermalisation beyond that ends there as well, which changes no bit of what is left.
void end_chain_at(TomlEntries& resolved, std::int64_t last);

// last: the last number in the file, at which the chain of its input ends.
void describe_file(io::Hdf5File& file, const FileOrigin& origin, std::int64_t last);

void describe_array(io::Hdf5File& file, const std::string& array, const std::string& long_name,
                    const std::string& units, const std::vector<std::string>& dimensions);

}  // namespace trellis::app
