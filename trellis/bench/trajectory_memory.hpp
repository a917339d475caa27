// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields that a trajectory needs at the same time, by the labels of their Views.

#include "trellis/bench/ghost_count.hpp"
#include "trellis/bench/trajectory_work.hpp"

namespace trellis::bench {

enum class Ghosts { none, near, all };  // that a field has

struct FieldMemory {
  std::string label;
  double bytes = 0;  // a site of the lattice
  Ghosts ghosts = Ghosts::none;

  // On a rank with a block of this many sites.
  double on_rank(double sites, const GhostCount& count) const;
};

std::vector<FieldMemory> trajectory_memory(const TrajectoryDescription& trajectory,
                                           const std::vector<SolveWork>& solves);

}  // namespace trellis::bench
