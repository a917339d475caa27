// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops over work-items, found again after LLVM's passes.

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "spmd/plugin/loop_nest.hpp"

namespace trellis::spmd {

/// A loop as make_loop_nest (loop_nest.hpp) writes it: an id in steps of 1, which leaves at its latch alone.
struct WorkItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  llvm::Instruction* next = nullptr;  // id + 1
  llvm::ICmpInst* compare = nullptr;  // next == end
  llvm::Value* end = nullptr;
  llvm::BasicBlock *before = nullptr, *latch = nullptr, *exit = nullptr;

  llvm::Value* start() const { return id->getIncomingValueForBlock(before); }
};

/// Nothing where the loop is none (`name`: work_item_loop, or row_loop), or has lost this form.
std::optional<WorkItemLoop> work_item_loop_of(llvm::Loop& loop, const char* name = work_item_loop);

}  // namespace trellis::spmd
