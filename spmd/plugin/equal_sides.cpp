// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/equal_sides.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

constexpr unsigned deepest = 8;  // longest chain of operations

bool can_run_anywhere(const Instruction& one) {
  return !llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::CallBase>(one) && !one.mayReadOrWriteMemory() &&
         llvm::isSafeToSpeculativelyExecute(&one);
}

// Two instructions that compute the same from the same operands.
bool compute_the_same(const Value* a, const Value* b, unsigned depth) {
  if (a == b) return true;
  const auto *one = llvm::dyn_cast<Instruction>(a), *other = llvm::dyn_cast<Instruction>(b);
  if (!one || !other || depth == 0 || !one->isSameOperationAs(other) || !can_run_anywhere(*one)) return false;
  for (unsigned i = 0; i < one->getNumOperands(); ++i)
    if (!compute_the_same(one->getOperand(i), other->getOperand(i), depth - 1)) return false;
  return true;
}

// A value that replaces both, before `at`; values that both have from before are available there.
Value* together(Value* a, Value* b, Instruction* at) {
  if (a == b) return a;
  auto *one = llvm::cast<Instruction>(a), *other = llvm::cast<Instruction>(b);
  Instruction* copy = one->clone();
  copy->andIRFlags(other);
  copy->dropUBImplyingAttrsAndMetadata();
  for (unsigned i = 0; i < copy->getNumOperands(); ++i)
    copy->setOperand(i, together(one->getOperand(i), other->getOperand(i), at));
  copy->insertBefore(at);
  copy->setName(one->getName());
  return copy;
}

}  // namespace

llvm::PreservedAnalyses EqualSidesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::PHINode*> phis;
  for (llvm::BasicBlock& block : function)
    for (llvm::PHINode& phi : block.phis())
      if (phi.getNumIncomingValues() == 2 && phi.getIncomingValue(0) != phi.getIncomingValue(1) &&
          block.getFirstInsertionPt() != block.end() &&
          compute_the_same(phi.getIncomingValue(0), phi.getIncomingValue(1), deepest))
        phis.push_back(&phi);
  for (llvm::PHINode* phi : phis) {
    Value *a = phi->getIncomingValue(0), *b = phi->getIncomingValue(1);
    phi->replaceAllUsesWith(together(a, b, &*phi->getParent()->getFirstInsertionPt()));
    phi->eraseFromParent();
  }
  return phis.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace trellis::spmd
