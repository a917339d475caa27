// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exceptions end the program at a kernel, which is noexcept. So a call that might throw is one like any other: nothing
// but the end follows when it does. A kernel, and functions in which it comes to a barrier, must not throw or catch
// themselves; others may, and stay functions where they catch, since work-items that run in lanes cannot part there.
// All of it is decided before LLVM inlines anything, so that it is the same at every level of the optimiser.

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Module.h>

namespace trellis::spmd {

/// Turns calls of a function that is noexcept into such as do not unwind, where unwinding would only end the program.
void drop_unwinding(llvm::Function& function);

/// Before anything is inlined. `reaching`: the functions from which calls lead to a marker.
void prepare_exceptions(llvm::Module& module, const llvm::SmallPtrSetImpl<const llvm::Function*>& reaching);

/// After everything was inlined: what catches in spite of that. False: an error was reported.
bool refuse_catching(const llvm::Function& kernel);

}  // namespace trellis::spmd
