// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// LLVM copies code into both sides of a branch (jump threading); what both sides compute alike then becomes a phi,
// which looks like a value that differs between work-items that part there. Such a value is recomputed after the
// branch.

#include <llvm/IR/PassManager.h>

namespace trellis::spmd {

class EqualSidesPass : public llvm::PassInfoMixin<EqualSidesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace trellis::spmd
