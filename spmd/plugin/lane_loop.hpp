// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes one loop over work-items as a loop over chunks of lanes, before the loop itself, which does the rest.

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "lane_shapes.hpp"

namespace trellis::spmd {

/// A loop as make_loop_nest (loop_nest.hpp) writes it: an id from 0 in steps of 1, which leaves at its latch alone.
struct WorkItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  llvm::Instruction* next = nullptr;  // id + 1
  llvm::ICmpInst* compare = nullptr;  // next == size
  llvm::Value* size = nullptr;
  llvm::BasicBlock *before = nullptr, *latch = nullptr, *exit = nullptr;
};

/// Why an instruction cannot have lanes; nullptr: it can.
const char* no_lanes(const llvm::Instruction& one, const LaneShapes& shapes);

void write_lane_loop(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes);

}  // namespace trellis::spmd
