// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/exceptions.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <vector>

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/report.hpp"

namespace trellis::spmd {
namespace {

using llvm::Function, llvm::Instruction;

constexpr const char* must_not_catch = "a kernel must not catch exceptions";

const Function* called(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? llvm::dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
}

bool throws(const Instruction& one) {
  const Function* callee = called(one);
  return callee && (callee->getName() == "__cxa_throw" || callee->getName() == "__cxa_rethrow");
}

bool catches(const Instruction& one) {
  const Function* callee = called(one);
  return callee && callee->getName() == "__cxa_begin_catch";
}

// The function that clang calls when an exception reaches noexcept.
bool terminates(const Function& function) { return function.getName() == "__clang_call_terminate"; }

bool is_begin_call(const Instruction& one) { return is_begin(&one); }

// Reports each place once; the offending code is removed.
void refuse(Function& function) {
  const auto next = [&]() -> Instruction* {
    for (Instruction& one : llvm::instructions(function))
      if (throws(one) || catches(one)) return &one;
    return nullptr;
  };
  while (Instruction* one = next()) {
    report_error(*one, throws(*one) ? "a kernel must not throw" : must_not_catch);
    llvm::changeToUnreachable(one);
  }
}

// True if control never comes back from there, and nobody sees that there was an exception: destructors need not run
// before the program ends.
bool only_ends(const llvm::BasicBlock& start) {
  llvm::SmallSetVector<const llvm::BasicBlock*, 16> blocks;
  blocks.insert(&start);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const llvm::BasicBlock* block = blocks[i];
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()) || llvm::any_of(*block, catches)) return false;
    blocks.insert(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return true;
}

}  // namespace

void drop_unwinding(Function& function) {
  if (!function.doesNotThrow()) return;
  std::vector<llvm::InvokeInst*> invokes;
  for (llvm::BasicBlock& block : function)
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator());
        invoke && only_ends(*invoke->getUnwindDest()))
      invokes.push_back(invoke);
  for (llvm::InvokeInst* invoke : invokes) llvm::changeToCall(invoke)->setDoesNotThrow();
  if (!invokes.empty()) llvm::removeUnreachableBlocks(function);
}

void prepare_exceptions(llvm::Module& module, const llvm::SmallPtrSetImpl<const Function*>& reaching) {
  // The functions that kernels call, directly or not, in order; the kernels' own come first.
  llvm::SmallSetVector<Function*, 32> functions;
  for (Function& function : module)
    if (reaching.contains(&function)) functions.insert(&function);
  const auto add_callees = [&](Function& function) {
    for (const Instruction& one : llvm::instructions(function))
      if (const Function* callee = called(one); callee && !callee->isDeclaration() && !terminates(*callee))
        functions.insert(const_cast<Function*>(callee));
  };
  for (std::size_t i = 0, n = functions.size(); i < n; ++i)
    if (llvm::any_of(llvm::instructions(*functions[i]), is_begin_call)) add_callees(*functions[i]);
  const std::size_t own = functions.size();
  for (std::size_t i = 0; i < own; ++i) refuse(*functions[i]);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    Function& function = *functions[i];
    add_callees(function);
    drop_unwinding(function);
    if (i < own || function.hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
    if (llvm::none_of(llvm::instructions(function), catches)) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);  // with it, noinline means nothing (inline_calls.cpp)
    function.addFnAttr(llvm::Attribute::NoInline);
  }
}

bool refuse_catching(const Function& kernel) {
  for (const Instruction& one : llvm::instructions(kernel)) {
    if (!catches(one)) continue;
    report_error(one, must_not_catch);
    return false;
  }
  return true;
}

}  // namespace trellis::spmd
