// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel's barriers may be in functions that it calls: all of these are inlined, even at -O0, as are small functions.
// Refused, naming the line: recursion that reaches a barrier, and calls that must be inlined but cannot be.

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Module.h>

namespace trellis::spmd {

/// Runs before LLVM inlines anything, or turns recursion into loops at some levels. `reaching`: as found by
/// reaching_markers.
void refuse_recursion(llvm::Module& module, const llvm::SmallPtrSetImpl<const llvm::Function*>& reaching);

/// False if an error was reported.
bool inline_calls(llvm::Function& kernel);

}  // namespace trellis::spmd
