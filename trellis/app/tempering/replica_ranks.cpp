// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/tempering/replica_ranks.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "trellis/comm/groups.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {

int replica_groups_of(std::int64_t wanted, int ranks, int replicas, const std::string& from) {
  const int most = std::gcd(ranks, replicas);
  if (wanted == 0) return most;
  if (ranks % wanted == 0 && replicas % wanted == 0) return static_cast<int>(wanted);
  std::vector<int> possible;
  for (int n = 1; n <= most; ++n)
    if (most % n == 0) possible.push_back(n);
  fail_input("{}: {} of this job do not divide into {} groups, which have as many each; possible: {}", from,
             ranks % wanted == 0 ? plural(replicas, "replica") : plural(ranks, "rank"), wanted, joined(possible, ", "));
}

ReplicaRanks replica_ranks(const RunInput& input, const comm::ProcessGrid& grid, int longest_hop) {
  const auto& all = grid.ranks();
  if (!input.tempering) return {{all, 1, 0}, grid};
  const int replicas = static_cast<int>(input.tempering->couplings.size());
  const int count =
      replica_groups_of(input.machine.replica_groups, all.size(), replicas, input.machine.replica_groups_from);
  if (count == 1) return {{all, 1, 0}, grid};
  const auto group = comm::group_of(all, count);
  const hmc::ReplicaGroups groups{all, count, all.rank() / (all.size() / count)};
  if (group.size() == 1) return {groups, {}};
  const auto extents = io::from_first_rank(group, "process grid of replicas", [&] {
    return comm::best_grid(input.size, group.size(), {.ranks_on_machine = group.ranks_on_machine()}, 96, longest_hop);
  });
  const comm::ProcessGrid own(group, extents, input.machine.rank_order);
  static_cast<void>(own.local(input.size));  // throws
  return {groups, own};
}

std::string describe(const ReplicaRanks& ranks, int replicas) {
  const auto& [groups, grid] = ranks;
  return fmt::format("{} in {} of {}{}", plural(replicas, "replica"), plural(groups.count, "group"),
                     plural(groups.all.size() / groups.count, "rank"),
                     grid.size() > 1 ? " " + to_string(grid.extents()) : "");
}

}  // namespace trellis::app
