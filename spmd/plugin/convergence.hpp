// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs first: functions whose calls lead to a barrier are made convergent, as the barrier is. Otherwise LLVM would copy
// calls of them into both sides of a branch where work-items part (loop unswitching does). Ids are marked as
// well-defined numbers.

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
