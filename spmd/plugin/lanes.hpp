// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strip-mines the loops over work-items: chunks of W work-items run side by side, as vectors of W lanes, inside the
// kernel's own loops. LLVM vectorises innermost loops only; here the loop over lanes is innermost wherever control is
// the same for all lanes, and is written directly as the vector instructions that it would become. Branches on values
// that differ between lanes become masks (Karrenberg and Hack, CGO 2011; Moll and Hack, PLDI 2018). The remainder of a
// group after whole chunks runs in narrower chunks, then one by one.

#include <llvm/IR/PassManager.h>

namespace trellis::spmd {

class LanesPass : public llvm::PassInfoMixin<LanesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace trellis::spmd
