// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/variables.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Instruction;
using Blocks = llvm::SmallPtrSet<const BasicBlock*, 16>;

bool is_lifetime(const Instruction& one, llvm::Intrinsic::ID id) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&one);
  return call && call->getIntrinsicID() == id;
}

// True if an access through an address lets others know the address.
bool escapes_by(const llvm::Use& use) {
  const auto* user = llvm::cast<Instruction>(use.getUser());
  if (llvm::isa<llvm::LoadInst, llvm::ICmpInst, llvm::BranchInst, llvm::SwitchInst>(user)) return false;
  if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() == 0;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
      return !intrinsic->isLifetimeStartOrEnd() && !llvm::isa<llvm::AnyMemIntrinsic>(intrinsic) &&
             intrinsic->getIntrinsicID() != llvm::Intrinsic::objectsize;
    if (is_sanitizer_report(*user)) return false;
    return !call->isArgOperand(&use) || !call->doesNotCapture(call->getArgOperandNo(&use));
  }
  return true;
}

// Blocks at whose end a use may still follow: backwards from uses, up to where the lifetime begins.
Blocks used_behind(const Blocks& used_at_start, const Blocks& begins) {
  Blocks behind;
  llvm::SmallVector<const BasicBlock*, 16> open(used_at_start.begin(), used_at_start.end());
  Blocks seen(used_at_start.begin(), used_at_start.end());
  while (!open.empty()) {
    const BasicBlock* block = open.pop_back_val();
    for (const BasicBlock* from : llvm::predecessors(block)) {
      behind.insert(from);
      if (!begins.contains(from) && seen.insert(from).second) open.push_back(from);
    }
  }
  return behind;
}

}  // namespace

bool is_sanitizer_report(const Instruction& one) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("__ubsan");
}

llvm::SmallVector<Instruction*, 16> users_of_variable(llvm::AllocaInst& variable, bool& escapes) {
  llvm::SmallVector<Instruction*, 16> users;
  llvm::SmallPtrSet<Instruction*, 16> seen;
  llvm::SmallVector<Instruction*, 16> open = {&variable};
  escapes = false;
  while (!open.empty()) {
    Instruction* address = open.pop_back_val();
    for (const llvm::Use& use : address->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::CastInst, llvm::BinaryOperator>(
              user)) {
        if (seen.insert(user).second) open.push_back(user);
      } else {
        escapes |= escapes_by(use);
      }
      users.push_back(user);
    }
  }
  return users;
}

void drop_lifetimes(llvm::AllocaInst& variable) {
  bool escapes = false;
  for (Instruction* user : users_of_variable(variable, escapes))
    if (user->isLifetimeStartOrEnd()) user->eraseFromParent();
}

bool lives_across_cut(llvm::AllocaInst& variable, const Regions& regions) {
  bool escapes = false, has_lifetime = false;
  const auto users = users_of_variable(variable, escapes);
  Blocks used_at_start, begins, touched;
  llvm::DenseMap<const BasicBlock*, const Instruction*> first;
  llvm::SmallPtrSet<const Instruction*, 16> all;
  for (const Instruction* user : users) {
    all.insert(user);
    touched.insert(user->getParent());
    if (is_lifetime(*user, llvm::Intrinsic::lifetime_start)) has_lifetime = true;
  }
  if (escapes && !has_lifetime) return true;
  if (!escapes && !variable.isStaticAlloca()) {  // it is a new one each time
    all.insert(&variable);
    touched.insert(variable.getParent());
  }
  for (const BasicBlock* block : touched)
    for (const Instruction& one : *block) {
      if (!all.contains(&one)) continue;
      // The end of a lifetime is a use of anything that others may know until then.
      if (is_lifetime(one, llvm::Intrinsic::lifetime_start) || &one == &variable)
        begins.insert(block);
      else if (!escapes && is_lifetime(one, llvm::Intrinsic::lifetime_end))
        continue;
      else if (!begins.contains(block))
        used_at_start.insert(block);
    }
  const Blocks behind = used_behind(used_at_start, begins);
  // Forwards: what may have been accessed already.
  Blocks before;
  llvm::SmallVector<const BasicBlock*, 16> open(touched.begin(), touched.end());
  while (!open.empty()) {
    const BasicBlock* block = open.pop_back_val();
    for (const BasicBlock* next : llvm::successors(block))
      if (before.insert(next).second) open.push_back(next);
  }
  for (const Region& region : regions.all)
    for (const BasicBlock* block : region.blocks)
      if (Regions::behind_cut(*block) && behind.contains(block) && (before.contains(block) || touched.contains(block)))
        return true;
  return false;
}

}  // namespace trellis::spmd
