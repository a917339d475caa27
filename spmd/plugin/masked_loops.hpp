// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops that some work-items leave earlier than others, or do not enter, for lanes: as long as any lane has turns left,
// all go through the loop, with what lies in it behind a branch on whether the lane takes part in this turn (Karrenberg
// and Hack, CGO 2011). The branch then becomes a mask like any other (lane_shapes.hpp). For a single work-item
// the rewritten loop does the same as before.

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace trellis::spmd {

/// The call that stands for "in any lane"; its operand for a single work-item.
bool is_any(const llvm::Value* value);

/// Rewrites a loop in simplified and LCSSA form; false, and nothing is changed, if it has an unsuitable form: several
/// exits, or an entry that depends on more than one branch. Loop and dominator analyses are out of date afterwards.
bool mask_loop(llvm::Loop& loop, const llvm::DominatorTree& dominators, bool entered_by_all);

/// Replaces all of these calls by their operands.
void drop_any(llvm::Function& function);

}  // namespace trellis::spmd
