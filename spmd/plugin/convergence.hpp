// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before anything else: functions through which calls lead to a barrier are convergent, as the barrier is. Otherwise
// LLVM would copy calls of them into both sides of a branch that work-items part at (loop unswitching does).
// Ids are known to be numbers.

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/OptimizationLevel.h>

namespace trellis::spmd {

/// The functions from which direct calls lead to a marker.
llvm::SmallPtrSet<const llvm::Function*, 16> reaching_markers(llvm::Module& module);

class ConvergencePass : public llvm::PassInfoMixin<ConvergencePass> {
 public:
  explicit ConvergencePass(llvm::OptimizationLevel level) : level_(level) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

 private:
  llvm::OptimizationLevel level_;
};

}  // namespace trellis::spmd
