// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// AMD's Zen cores have gather and scatter instructions, but loads and stores of single lanes are faster there (a
// transposition through local memory 1.8 times on Zen 4, docs/performance.md).

#include <llvm/IR/Function.h>

namespace trellis::spmd {

/// Tells the optimiser to avoid them, in a function that is compiled for such a core.
void avoid_slow_gathers(llvm::Function& function);
/// True if it was told.
bool gathers_are_slow(const llvm::Function& function);

}  // namespace trellis::spmd
