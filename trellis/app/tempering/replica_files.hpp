// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files of parallel tempering beside a run's checkpoint, which has the links of the periodic replica and which
// walker is where (chain_file.hpp): the links of each other replica at the same trajectory, "<name>.000120.replica-1",
// ILDG in double precision. They are on disk before the checkpoint, which has their checksums, replaces the last one;
// and they are removed once neither of the two checkpoints needs them. So a kill at any moment leaves a checkpoint with
// its replicas. By all ranks together.

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/hmc/tempering/tempering.hpp"

namespace trellis::app {

std::filesystem::path replica_file(const RunFolder& folder, std::int64_t trajectory, int replica);

// Writes the files; what the checkpoint must say of them.
template <int W>
SavedReplicas save_replicas(const RunFolder& folder, const RunInput& input, std::uint32_t trajectory,
                            const hmc::Tempering<W>& tempering);

// Throws Error if a file is missing, damaged, or not the one that the checkpoint was written with.
template <int W>
void read_replicas(const RunFolder& folder, const SavedChain& chain, hmc::Tempering<W>& tempering);

// Without the links' values, for the first rank: throws as read_replicas() does.
void require_replicas(const RunFolder& folder, const SavedChain& chain, int count);

// Removes those that belong to neither checkpoint, unless a checkpoint cannot be read. For the first rank, while no
// checkpoint is under way.
void remove_unused_replicas(const RunFolder& folder);

}  // namespace trellis::app
