// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Replicated values that are never kept at the same time share an array, as registers are shared: this uses less of the
// first-level cache, and a phi that takes its own array's value needs no copy.

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace trellis::spmd {

/// Partitions values of one size into groups in which no two are kept together; phis first, with their incoming values.
std::vector<std::vector<llvm::Instruction*>> share_arrays(
    const std::vector<llvm::Instruction*>& values,
    llvm::function_ref<bool(llvm::Instruction*, llvm::Instruction*)> kept_together,
    llvm::function_ref<std::uint64_t(const llvm::Instruction&)> bytes);

}  // namespace trellis::spmd
