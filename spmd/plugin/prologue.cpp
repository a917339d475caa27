// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/prologue.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "spmd/plugin/report.hpp"
#include "spmd/plugin/variables.hpp"

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

bool operands_available(const Instruction& instruction, const Kernel& kernel) {
  return llvm::all_of(instruction.operands(), [&](const Value* one) {
    const auto* operand = llvm::dyn_cast<Instruction>(one);
    return !operand || kernel.in_prologue(operand);
  });
}

// For an instruction that knows the variable's address.
bool may_write(const Instruction& user, const llvm::AllocaInst& variable) {
  if (!user.mayWriteToMemory() || user.isLifetimeStartOrEnd() || is_sanitizer_report(user)) return false;
  const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&user);
  return !copy || llvm::getUnderlyingObject(copy->getRawDest()) == &variable;
}

// Memory that is never written while the function runs: what its arguments point to, if they say so.
bool constant_memory(const llvm::LoadInst& load, llvm::AAResults& aliases) {
  return !isModSet(aliases.getModRefInfoMask(llvm::MemoryLocation::get(&load)));
}

bool may_run_early(const Instruction& instruction, llvm::AAResults& aliases, bool always_runs, bool written) {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator()) return false;
  if (is_local_memory(&instruction)) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->isSimple()) return false;
    if (!constant_memory(*load, aliases) && !(always_runs && !written)) return false;
    return always_runs || llvm::isSafeToSpeculativelyExecute(load);
  }
  if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isConvergent()) return false;
  return always_runs || llvm::isSafeToSpeculativelyExecute(&instruction);
}

// Instructions on which the sizes of the group depend. A variable among them must be written only before `begin` (at
// -O0, a copy of what describes the group): everything that accesses it there is included.
bool find_needed(Kernel& kernel, llvm::SmallPtrSetImpl<const Instruction*>& needed) {
  std::vector<const Instruction*> open = {kernel.begin};
  llvm::SmallPtrSet<const Instruction*, 16> before;
  const llvm::DominatorTree dominators(*kernel.function);
  for (const Instruction& one : llvm::instructions(kernel.function))
    if (!dominators.dominates(kernel.begin, &one)) before.insert(&one);
  while (!open.empty()) {
    const Instruction* one = open.back();
    open.pop_back();
    if (!needed.insert(one).second) continue;
    if (local_id_dimension(one) >= 0) return false;
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(one)) {
      bool escapes = false;
      for (const Instruction* user : users_of_variable(*const_cast<llvm::AllocaInst*>(variable), escapes)) {
        const bool early = before.contains(user);
        if (early) open.push_back(user);
        if (!early && may_write(*user, *variable)) return false;
      }
      if (escapes) return false;
      kernel.group_variables.insert(variable);
    }
    for (const Value* operand : one->operands())
      if (const auto* instruction = llvm::dyn_cast<Instruction>(operand)) open.push_back(instruction);
  }
  return true;
}

}  // namespace

bool split_prologue(Kernel& kernel) {
  llvm::BasicBlock* block = kernel.begin->getParent();
  llvm::SmallPtrSet<const Instruction*, 16> needed;
  if (!find_needed(kernel, needed)) {
    report_error(*kernel.begin, "the size of a group must be the same for all of its work-items");
    return false;
  }
  for (const Value* variable : kernel.group_variables)
    drop_lifetimes(*llvm::cast<llvm::AllocaInst>(const_cast<Value*>(variable)));
  Instruction* behind = kernel.begin->getNextNode();
  for (auto at = block->begin(); &*at != kernel.begin;) {
    Instruction& one = *at++;
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&one);
    if (!needed.contains(&one) && !(variable && variable->isStaticAlloca()) && !llvm::isa<llvm::PHINode>(one))
      one.moveBefore(behind);
  }
  // Variables of fixed size are placed together, wherever optimisation left them.
  llvm::BasicBlock& entry = kernel.function->getEntryBlock();
  for (auto at = std::next(kernel.begin->getIterator()); at != block->end();) {
    Instruction& one = *at++;
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&one);
    if (variable && llvm::isa<llvm::ConstantInt>(variable->getArraySize())) one.moveBefore(&*entry.begin());
  }
  kernel.first = block->splitBasicBlock(kernel.begin->getNextNode(), "work_item");
  const llvm::DominatorTree dominators(*kernel.function);
  for (const auto* node = dominators.getNode(block); node; node = node->getIDom())
    kernel.prologue.insert(node->getBlock());
  for (const Instruction& one : llvm::instructions(kernel.function))
    if (is_marker(&one) && &one != kernel.begin && !dominators.dominates(kernel.first, one.getParent())) {
      report_error(one, "trellis_spmd_begin must precede the other markers");
      return false;
    }
  return true;
}

void hoist_uniform(const Kernel& kernel, const Shapes& shapes, llvm::AAResults& aliases) {
  llvm::BasicBlock* prologue = kernel.begin->getParent();
  const llvm::ReversePostOrderTraversal<llvm::BasicBlock*> order(kernel.first);
  bool written = false, returns = true;  // in the first block, so far
  for (llvm::BasicBlock* block : order) {
    for (auto at = block->begin(); at != block->end();) {
      Instruction& one = *at++;
      const bool always = block == kernel.first && returns;
      if (shapes.uniform(&one) && !one.getType()->isVoidTy() && operands_available(one, kernel) &&
          may_run_early(one, aliases, always, written)) {
        one.moveBefore(prologue->getTerminator());
        if (!always) one.dropUBImplyingAttrsAndMetadata();
        continue;
      }
      written |= one.mayWriteToMemory();
      returns &= llvm::isGuaranteedToTransferExecutionToSuccessor(&one) || is_barrier(&one);
    }
  }
}

}  // namespace trellis::spmd
