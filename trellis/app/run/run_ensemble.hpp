// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [ensemble]: several chains of one input in one job. Chain k has the seed of chain k (hmc/tempering/chain_seeds.hpp;
// chain 0 that of the input) and its files begin with "<name>-chain-<k>"; otherwise it is a run like any other, with
// the bits that it would have alone. They are computed one after the other, each by all ranks. Called again, the job
// continues with the first chain that is not finished. `trellis analyse` and `report` take the folder as one ensemble
// of replica.

#include "trellis/app/run/run_chain.hpp"

namespace trellis::app {

// The input of chain k alone.
RunInput chain_of_ensemble(const RunInput& input, std::int64_t chain);

// Throws InputError if the input, with [ensemble] or without, would begin a chain that is there already: that without
// the table and chain 0 have the same seed and bits under different names.
void require_no_copy_of_a_chain(const RunInput& input);

// As run_chain(), with all chains; ends with the first that does not return 0. Also writes the table of all chains
// together, "<name>-ensemble.csv": the columns `chain` and `seed`, then those of each chain's table. Chains beyond
// those of the input, which an earlier one had, are in it, too, and the user is told.
int run_ensemble(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
                 const RunOptions& options);

}  // namespace trellis::app
