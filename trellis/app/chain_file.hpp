// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a chain is between two trajectories, to and from its checkpoint (io/checkpoint.hpp): links, number of completed
// trajectories, sums of the statistics to the last bit, and the input without the keys that may change.

#include "trellis/app/toml_value.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/io/checkpoint.hpp"

namespace trellis::app {

struct SavedChain {
  std::uint32_t completed = 0;
  hmc::ChainStatistics statistics;
  TomlEntries physics;
};

// By all ranks together.
void save_chain(const std::filesystem::path& file, const io::FieldLinks& links, const SavedChain& chain);

// All but the links, by each rank that calls it. Throws Error for a file that is damaged, or is no checkpoint of a
// chain.
SavedChain read_saved_chain(const std::filesystem::path& file);

}  // namespace trellis::app
