// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// D_eo on a GPU as a work-group kernel (dirac/staggered/staggered_groups.hpp), timed in turn with the operator's own
// kernel. `trellis bench spmd --kernel staggered` does so on a CPU, whose ways to run work-items need another compiler.

#include <span>
#include <vector>

#include "trellis/lattice/lattice.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct GroupsFigure {
  int vectors = 1, work_items = 0;  // right-hand sides, and work-items of a group
  double flops = 0;
  double seconds = 0, of_operator = 0;  // medians
};

// For each number of right-hand sides that lie side by side on a GPU; nothing on a host. Throws Error if results differ
// in any bit.
template <class T>
std::vector<GroupsFigure> staggered_groups(const Coordinate& size, std::span<const int> right_hand_sides,
                                           const tuning::TimingParameters& timing);

}  // namespace trellis::bench
