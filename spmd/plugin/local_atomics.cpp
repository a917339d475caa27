// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/local_atomics.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <vector>

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/report.hpp"

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

bool is_memory_of_group(const Value* pointer) {
  llvm::SmallVector<const Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return llvm::all_of(objects, [](const Value* object) { return is_local_memory(object); });
}

// The address of an atomic access; nullptr if it is not one, or must stay.
const Value* address_of_atomic(const Instruction& one) {
  if (!one.isAtomic() || one.isVolatile()) return nullptr;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&one)) return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&one)) return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&one);
}

void make_plain(Instruction& one) {
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&one))
    llvm::lowerAtomicRMWInst(update);
  else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&one))
    llvm::lowerAtomicCmpXchgInst(exchange);
  else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&one))
    load->setAtomic(llvm::AtomicOrdering::NotAtomic);
  else
    llvm::cast<llvm::StoreInst>(one).setAtomic(llvm::AtomicOrdering::NotAtomic);
}

}  // namespace

llvm::PreservedAnalyses LocalAtomicsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<Instruction*> atomics, marks;
  for (Instruction& one : llvm::instructions(function)) {
    if (const Value* address = address_of_atomic(one); address && is_memory_of_group(address)) atomics.push_back(&one);
    if (is_launch_memory(&one)) marks.push_back(&one);
  }
  if (!atomics.empty())
    remark_done(function, atomics.front(),
                "atomics on memory of the group need no lock: one thread runs it (" + std::to_string(atomics.size()) +
                    " of them)");
  for (Instruction* one : atomics) make_plain(*one);
  for (Instruction* mark : marks) {
    mark->replaceAllUsesWith(mark->getOperand(0));
    mark->eraseFromParent();
  }
  return atomics.empty() && marks.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace trellis::spmd
