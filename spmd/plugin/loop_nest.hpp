// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loops over the work-items of a group: dimension 0 innermost, 1 and 2 around it, never one linear loop that would
// have to divide. Every loop runs at least once.

#include <llvm/IR/IRBuilder.h>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {

struct LoopNest {
  llvm::Value* id[3] = {};            // the local ids
  llvm::Value* linear = nullptr;      // their number in the group: id0 + size0 (id1 + size1 id2)
  llvm::BasicBlock* body = nullptr;   // where a work-item begins; has no terminator yet
  llvm::BasicBlock* latch = nullptr;  // where it must go in the end
  llvm::BasicBlock* done = nullptr;   // after the last; has no terminator yet
};

/// Between `before`, which has no terminator yet, and the new block `done`. Accesses of the group `accesses` in its
/// body are those of independent work-items.
LoopNest make_loop_nest(const Kernel& kernel, llvm::BasicBlock* before, llvm::MDNode* accesses);

/// The metadata on the innermost loop's latch that says what it is.
inline constexpr const char* work_item_loop = "trellis.spmd.work_items";
/// That of the loop around it, over dimension 1.
inline constexpr const char* row_loop = "trellis.spmd.rows";

}  // namespace trellis::spmd
