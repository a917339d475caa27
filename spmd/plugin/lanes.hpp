// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Strip-mines the loops over work-items: chunks of W work-items run side by side, as vectors of W lanes, with the
// kernel's own loops around them. LLVM makes vectors of innermost loops alone; here the loop over lanes is innermost
// wherever control is the same for all lanes, and written as the vector instructions that it would become. Branches on
// what differs between lanes become masks (Karrenberg and Hack, CGO 2011; Moll and Hack, PLDI 2018). What is left of a
// group after whole chunks runs in narrower chunks, then one by one.

#include <llvm/IR/PassManager.h>

namespace trellis::spmd {

class LanesPass : public llvm::PassInfoMixin<LanesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace trellis::spmd
