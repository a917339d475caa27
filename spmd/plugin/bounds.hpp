// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conditions on the id that guard everything a loop over work-items does become its bounds: `if (id < k)` runs the loop
// to min(size, k), `if (id == k)` runs it once. Conditions that must all hold are taken one by one; those that do not
// depend on the id decide whether the loop runs at all; anything else stays.

#include <llvm/IR/PassManager.h>

namespace trellis::spmd {

class BoundsPass : public llvm::PassInfoMixin<BoundsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace trellis::spmd
