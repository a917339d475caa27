// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conditions on the id around all that a loop over work-items does become its bounds: `if (id < k)` runs the loop to
// min(size, k), `if (id == k)` runs it once. Several that must all hold are taken one by one; what does not depend on
// the id decides whether the loop runs at all; what is neither stays.

#include <llvm/IR/PassManager.h>

namespace trellis::spmd {

class BoundsPass : public llvm::PassInfoMixin<BoundsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace trellis::spmd
