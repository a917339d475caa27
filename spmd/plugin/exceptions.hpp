// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An exception ends the program at a kernel, which is noexcept. So a call that might throw is like any other: if it
// throws, nothing but the end follows. A kernel, and functions in which it reaches a barrier, must not throw or catch
// themselves; other functions may, and are not inlined if they catch, since work-items that run in lanes cannot part
// there. All this is decided before LLVM inlines anything, so it is the same at every optimisation level.

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Module.h>

namespace trellis::spmd {

/// Marks calls in a noexcept function as nounwind if unwinding would only end the program.
void drop_unwinding(llvm::Function& function);

/// Before anything is inlined. `reaching`: the functions from which calls lead to a marker.
void prepare_exceptions(llvm::Module& module, const llvm::SmallPtrSetImpl<const llvm::Function*>& reaching);

/// After everything has been inlined: reports what still catches. False if an error was reported.
bool refuse_catching(const llvm::Function& kernel);

}  // namespace trellis::spmd
