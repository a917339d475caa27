// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes one loop over work-items as a loop over chunks of lanes; the original loop follows and does the remainder.

#include <llvm/IR/IRBuilder.h>

#include "spmd/plugin/lane_shapes.hpp"
#include "spmd/plugin/work_item_loop.hpp"

namespace trellis::spmd {

/// Why an instruction cannot run in lanes; nullptr if it can.
const char* no_lanes(const llvm::Instruction& one, const LaneShapes& shapes);

void write_lane_loop(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes);

}  // namespace trellis::spmd
