// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/convergence.hpp"

#include <vector>

#include "spmd/plugin/exceptions.hpp"
#include "spmd/plugin/inline_calls.hpp"
#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/pristine.hpp"

namespace trellis::spmd {

llvm::SmallPtrSet<const llvm::Function*, 16> reaching_markers(llvm::Module& module) {
  llvm::SmallPtrSet<const llvm::Function*, 16> reaching;
  std::vector<const llvm::Function*> open;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration()) continue;
    for (const llvm::User* user : function.users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && is_marker(call) && reaching.insert(call->getFunction()).second) open.push_back(call->getFunction());
    }
  }
  while (!open.empty()) {
    const llvm::Function* callee = open.back();
    open.pop_back();
    for (const llvm::User* user : callee->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && call->getCalledOperand() == callee && reaching.insert(call->getFunction()).second)
        open.push_back(call->getFunction());
    }
  }
  return reaching;
}

llvm::PreservedAnalyses ConvergencePass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  // An id is a number: LLVM need not freeze it, which would obscure it.
  if (llvm::Function* id = local_id_marker(module)) id->addRetAttr(llvm::Attribute::NoUndef);
  const auto reaching = reaching_markers(module);
  refuse_recursion(module, reaching);
  prepare_exceptions(module, reaching);
  for (llvm::Function& function : module)
    if (reaching.contains(&function)) function.addFnAttr(llvm::Attribute::Convergent);
  if (level_ != llvm::OptimizationLevel::O0) keep_pristine_kernels(module);
  return reaching.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace trellis::spmd
