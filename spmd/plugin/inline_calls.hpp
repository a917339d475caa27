// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel's barriers may be in functions that it calls: all of these are inlined, also at -O0, as is what is small.
// Refused with the line: recursion that reaches a barrier, calls that cannot be inlined but must be.

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Module.h>

namespace trellis::spmd {

/// Before LLVM inlines anything, or makes loops of recursion at some levels. `reaching`: as reaching_markers finds
/// them.
void refuse_recursion(llvm::Module& module, const llvm::SmallPtrSetImpl<const llvm::Function*>& reaching);

/// False after an error was reported.
bool inline_calls(llvm::Function& kernel);

}  // namespace trellis::spmd
