// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel's barriers may stand in functions that it calls: all of these are inlined, also at -O0, as is what is small.
// Refused with the line: recursion that reaches a barrier, calls that cannot be inlined but must be, throw in a kernel.

#include <llvm/IR/Function.h>

namespace trellis::spmd {

/// False after an error was reported.
bool inline_calls(llvm::Function& kernel);

}  // namespace trellis::spmd
