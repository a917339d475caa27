// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a group computes once: the blocks of the function up to the call of begin. Everything that is the same for all
// work-items and may run early moves there, so that it costs nothing per work-item and is never kept for one.

#include <llvm/Analysis/AliasAnalysis.h>

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/shapes.hpp"

namespace trellis::spmd {

/// Splits the block of `begin` after it, having moved there what belongs to a work-item. False if an error was
/// reported.
bool split_prologue(Kernel& kernel);
void hoist_uniform(const Kernel& kernel, const Shapes& shapes, llvm::AAResults& aliases);

}  // namespace trellis::spmd
