// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order of all passes, in one place.

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/OptimizationLevel.h>

namespace trellis::spmd {

class SpmdPass : public llvm::PassInfoMixin<SpmdPass> {
 public:
  explicit SpmdPass(llvm::OptimizationLevel level) : level_(level) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }  // also at -O0

 private:
  llvm::OptimizationLevel level_;
};

}  // namespace trellis::spmd
