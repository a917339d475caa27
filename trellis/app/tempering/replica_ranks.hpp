// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which ranks of a job work on which replicas of [tempering]: groups of ranks, side by side. No bit depends on it.

#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/hmc/tempering/tempering.hpp"

namespace trellis::app {

// machine.replica_groups, or the largest number of groups that divides both the ranks and the replicas. Throws
// InputError if that key does not divide one of them, saying what would. from: what messages call the key.
int replica_groups_of(std::int64_t wanted, int ranks, int replicas, const std::string& from = "machine.replica_groups");

struct ReplicaRanks {
  hmc::ReplicaGroups groups;
  comm::ProcessGrid grid;  // of this rank's group
};
// All ranks must call it; without [tempering] there is one group. grid: of the job, which one group has, too; several
// share the lattice as comm::best_grid says. Throws InputError, also if the lattice does not divide that way.
ReplicaRanks replica_ranks(const RunInput& input, const comm::ProcessGrid& grid, int longest_hop);

// "8 replicas in 2 groups of 2 ranks 1x1x1x2".
std::string describe(const ReplicaRanks& ranks, int replicas);

}  // namespace trellis::app
