// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds loops over work-items again after LLVM's passes.

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "spmd/plugin/loop_nest.hpp"

namespace trellis::spmd {

/// A loop as written by make_loop_nest (loop_nest.hpp): an id in steps of 1, with its only exit at the latch.
struct WorkItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  llvm::Instruction* next = nullptr;  // id + 1
  llvm::ICmpInst* compare = nullptr;  // next == end
  llvm::Value* end = nullptr;
  llvm::BasicBlock *before = nullptr, *latch = nullptr, *exit = nullptr;

  llvm::Value* start() const { return id->getIncomingValueForBlock(before); }
};

/// Nothing if the loop is not one (`name`: work_item_loop or row_loop), or has lost this form.
std::optional<WorkItemLoop> work_item_loop_of(llvm::Loop& loop, const char* name = work_item_loop);

}  // namespace trellis::spmd
