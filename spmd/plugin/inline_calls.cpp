// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/inline_calls.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <vector>

#include "spmd/plugin/convergence.hpp"
#include "spmd/plugin/exceptions.hpp"
#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/report.hpp"

namespace trellis::spmd {
namespace {

using llvm::CallBase, llvm::Function;

constexpr unsigned small_function = 4000;  // functions without markers are inlined up to this many instructions
constexpr unsigned large_kernel = 40000;   // beyond this size, only what must be inlined, and
constexpr unsigned tiny_function = 100;    // functions that cost little more than the call, up to this size
constexpr unsigned huge_kernel = 400000;

// The chain of callees from which a call was inlined, as an index into `history`; -1 for the kernel itself.
struct Inlined {
  Function* callee;
  int from;
};

bool wanted(const CallBase& call, Function& callee, unsigned kernel_size) {
  if (callee.hasFnAttribute(llvm::Attribute::AlwaysInline)) return true;
  // At -O0 everything is noinline, so it means nothing.
  const bool no =
      callee.hasFnAttribute(llvm::Attribute::NoInline) && !callee.hasFnAttribute(llvm::Attribute::OptimizeNone);
  if (no || call.getAttributes().hasFnAttr(llvm::Attribute::NoInline) || callee.hasFnAttribute(llvm::Attribute::Cold))
    return false;
  const unsigned size = callee.getInstructionCount();
  return size <= small_function && kernel_size <= (size <= tiny_function ? huge_kernel : large_kernel);
}

bool in_history(const std::vector<Inlined>& history, int at, const Function* callee) {
  for (; at >= 0; at = history[at].from)
    if (history[at].callee == callee) return true;
  return false;
}

void report_recursion(const llvm::Instruction& call, const Function& callee) {
  report_error(call, "the function " + llvm::demangle(callee.getName()) +
                         " calls itself and reaches a barrier: recursion cannot be split at barriers");
}

// Depth first. The call that closes a cycle is removed, so that it is reported once.
class Circles {
 public:
  explicit Circles(const llvm::SmallPtrSetImpl<const Function*>& reaching) : reaching_(reaching) {}

  void visit(Function& function) {
    if (!seen_.insert(&function).second) return;
    open_.insert(&function);
    std::vector<CallBase*> circles;
    for (llvm::Instruction& one : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<CallBase>(&one);
      Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !reaching_.contains(callee)) continue;
      if (open_.contains(callee))
        circles.push_back(call);
      else
        visit(*callee);
    }
    for (CallBase* call : circles) report_recursion(*call, *call->getCalledFunction());
    if (!circles.empty()) llvm::changeToUnreachable(circles.front());
    open_.erase(&function);
  }

 private:
  const llvm::SmallPtrSetImpl<const Function*>& reaching_;
  llvm::SmallPtrSet<const Function*, 16> seen_, open_;
};

}  // namespace

void refuse_recursion(llvm::Module& module, const llvm::SmallPtrSetImpl<const Function*>& reaching) {
  Circles circles(reaching);
  for (Function* kernel : kernels_of(module)) circles.visit(*kernel);
}

bool inline_calls(Function& kernel) {
  // Attributes that would keep passes from working on the kernel, or the kernel from becoming a single function.
  kernel.removeFnAttr(llvm::Attribute::OptimizeNone);
  const auto reaching = reaching_markers(*kernel.getParent());
  std::vector<Inlined> history;
  unsigned kernel_size = kernel.getInstructionCount();
  std::vector<std::pair<llvm::WeakTrackingVH, int>> calls;
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<CallBase>(&instruction)) calls.emplace_back(call, -1);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto* call = llvm::dyn_cast_or_null<CallBase>(static_cast<llvm::Value*>(calls[i].first));
    const int from = calls[i].second;
    if (!call) continue;
    Function* callee = call->getCalledFunction();
    if (!callee) callee = llvm::dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    if (!callee || callee->isDeclaration() || callee->isIntrinsic()) continue;
    const bool must = reaching.contains(callee);
    if (callee == &kernel || in_history(history, from, callee)) {
      if (!must) continue;
      report_recursion(*call, *callee);
      return false;
    }
    if (!must && !wanted(*call, *callee, kernel_size)) continue;
    llvm::InlineFunctionInfo info;
    const std::string name = llvm::demangle(callee->getName());
    const llvm::InlineResult result = llvm::InlineFunction(*call, info, /*MergeAttributes=*/true);
    if (!result.isSuccess()) {
      if (!must) continue;
      report_error(*call,
                   "the function " + name + " reaches a barrier and cannot be inlined: " + result.getFailureReason());
      return false;
    }
    kernel_size += callee->getInstructionCount();
    history.push_back({callee, from});
    for (CallBase* inner : info.InlinedCallSites) calls.emplace_back(inner, int(history.size()) - 1);
  }
  kernel.removeFnAttr(llvm::Attribute::OptimizeNone);
  drop_unwinding(kernel);
  return refuse_catching(kernel);
}

}  // namespace trellis::spmd
