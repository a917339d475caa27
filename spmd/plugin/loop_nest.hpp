// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loops over the work-items of a group: dimension 0 innermost, 1 and 2 around it, never one linear loop that would
// need divisions. Every loop runs at least once.

#include <llvm/IR/IRBuilder.h>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {

struct LoopNest {
  llvm::Value* id[3] = {};            // the local ids
  llvm::Value* linear = nullptr;      // the linear id in the group: id0 + size0 (id1 + size1 id2)
  llvm::BasicBlock* row = nullptr;    // executed once per row, if there are rows
  llvm::BasicBlock* body = nullptr;   // where a work-item starts; has no terminator yet
  llvm::BasicBlock* latch = nullptr;  // where it must end
  llvm::BasicBlock* done = nullptr;   // after the last; has no terminator yet
};

/// Built between `before`, which has no terminator yet, and the new block `done`. Accesses in access group `accesses`
/// in its body are independent accesses of work-items.
LoopNest make_loop_nest(const Kernel& kernel, llvm::BasicBlock* before, llvm::MDNode* accesses);

/// Metadata on the innermost loop's latch that identifies it.
inline constexpr const char* work_item_loop = "trellis.spmd.work_items";
/// Metadata of the loop around it, over dimension 1.
inline constexpr const char* row_loop = "trellis.spmd.rows";

}  // namespace trellis::spmd
