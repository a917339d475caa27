// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state of a chain between two trajectories, to and from its checkpoint (io/checkpoint.hpp): links, number of
// completed trajectories, statistics sums to the last bit, the input without the keys that may change, and what the
// result files hold at that moment.

#include <map>
#include <string>
#include <vector>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::app {

// By name: "table", "flow", "hadron_file", "staggered_hadron_file", "quarks", "hadrons", "staggered_hadrons", and the
// smoothings (measure/smoothing.hpp).
using SavedResults = std::map<std::string, io::CheckedRows>;

std::string to_text(const SavedResults& results);  // one line each
SavedResults parse_results(const std::string& text);

// Of parallel tempering: which walker is at each replica, and the checksums of the files of all replicas but the first,
// whose links the checkpoint has (app/tempering/replica_files.hpp).
struct SavedReplicas {
  std::vector<int> walkers = {};
  std::vector<std::string> checksums = {};
};

struct SavedChain {
  std::uint32_t completed = 0;
  hmc::ChainStatistics statistics = {};
  TomlEntries physics = {};
  std::uint32_t tunings = 0;  // how often keys that change bits have been changed
  SavedResults results = {};  // empty in checkpoints of an earlier version
  SavedReplicas replicas = {};
};

// By all ranks together.
void save_chain(const std::filesystem::path& file, const io::FieldLinks& links, const SavedChain& chain);

// Begins to write it (io/files_under_way.hpp).
void start_chain_file(io::FilesUnderWay& files, const std::filesystem::path& file,
                      const std::shared_ptr<const io::PackedLinks>& links, const SavedChain& chain,
                      const io::FileCheck& check);

// By one rank.
void save_chain(const std::filesystem::path& file, const Coordinate& size, const io::LinkSource& links,
                const SavedChain& chain);

// Everything but the links, by each rank that calls it. Throws Error for a file that is damaged or is not a checkpoint
// of a chain.
SavedChain read_saved_chain(const std::filesystem::path& file);

}  // namespace trellis::app
