// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One thread runs all work-items of a group, so nobody else sees the group's memory: atomics on it become a load, an
// operation and a store, without a lock.

#include <llvm/IR/PassManager.h>

namespace trellis::spmd {

/// Runs after everything that asks what work-items share (lanes refuse functions with atomics). Also removes the
/// markers of memory sized at launch.
class LocalAtomicsPass : public llvm::PassInfoMixin<LocalAtomicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace trellis::spmd
