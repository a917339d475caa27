// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which variables in memory (allocas) live across a cut, from their uses and the lifetimes that clang marks.

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/regions.hpp"

namespace trellis::spmd {

/// Every user of the variable's address, also through casts, offsets, phis and selects; `escapes`: others may know it.
llvm::SmallVector<llvm::Instruction*, 16> users_of_variable(llvm::AllocaInst& variable, bool& escapes);
/// A call that reports an error and does not keep the addresses it is given.
bool is_sanitizer_report(const llvm::Instruction& one);
/// For variables that are replicated, or shared by all work-items.
void drop_lifetimes(llvm::AllocaInst& variable);
bool lives_across_cut(llvm::AllocaInst& variable, const Regions& regions);

}  // namespace trellis::spmd
