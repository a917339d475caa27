// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a chain is between two trajectories, to and from its checkpoint (io/checkpoint.hpp): links, number of completed
// trajectories, sums of the statistics to the last bit, the input without the keys that may change, and what the files
// of results hold at that moment.

#include <map>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::app {

// By name: "table", "flow", "hadron_file", "quarks", "hadrons", and the smoothings (measure/smoothing.hpp).
using SavedResults = std::map<std::string, io::CheckedRows>;

std::string to_text(const SavedResults& results);  // a line each
SavedResults parse_results(const std::string& text);

struct SavedChain {
  std::uint32_t completed = 0;
  hmc::ChainStatistics statistics = {};
  TomlEntries physics = {};
  std::uint32_t tunings = 0;  // how often keys that move bits have changed
  SavedResults results = {};  // empty: of an earlier version
};

// By all ranks together.
void save_chain(const std::filesystem::path& file, const io::FieldLinks& links, const SavedChain& chain);

// By one.
void save_chain(const std::filesystem::path& file, const Coordinate& size, const io::LinkSource& links,
                const SavedChain& chain);

// All but the links, by each rank that calls it. Throws Error for a file that is damaged, or is no checkpoint of a
// chain.
SavedChain read_saved_chain(const std::filesystem::path& file);

}  // namespace trellis::app
