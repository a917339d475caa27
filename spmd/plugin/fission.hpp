// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Deep loop fission (Jääskeläinen et al., pocl, IJPP 2015) by adding cuts: with these, regions do not overlap and each
// leads to a single cut, so the kernel's own branches and loops around barriers stay outside the loops over work-items.
//   control cuts come before branches that decide which cut comes next; the branch is then executed once for the group
//   join cuts are where regions meet (loop headers, ends of conditionals), after the phis there
// A branch may be executed once if all work-items take the same side. That is the case if its condition is uniform, or
// if none of the barriers (or the end) that can come first on one side can come first on the other: work-items that
// parted there would never meet at one barrier, which a kernel must not do. Fission refuses all other branches: in
//   for (i = 0; i < 2 + local_id; ++i) if (i < 2) barrier();
// the loop's end may follow directly on both sides (Meyer et al., IWOCL 2023).

#include <string>

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/shapes.hpp"

namespace trellis::spmd {

struct FissionPlan {
  std::vector<llvm::BasicBlock*> control;      // their terminators are executed once
  const llvm::Instruction* refused = nullptr;  // a branch for which that would be wrong
  std::string why;
};

/// Barriers must end their blocks (split_behind_cuts).
FissionPlan plan_fission(const Kernel& kernel, const Shapes& shapes);
/// Makes the block's branch, which is uniform, execute once: puts a control cut before it.
void cut_before_branch(llvm::BasicBlock& block);
/// Inserts the cuts, and ends blocks after them.
void apply_fission(const Kernel& kernel, const FissionPlan& plan);

}  // namespace trellis::spmd
