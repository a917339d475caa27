// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/pipeline.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "spmd/plugin/bounds.hpp"
#include "spmd/plugin/context.hpp"
#include "spmd/plugin/emit_loops.hpp"
#include "spmd/plugin/equal_sides.hpp"
#include "spmd/plugin/fission.hpp"
#include "spmd/plugin/free_cuts.hpp"
#include "spmd/plugin/inline_calls.hpp"
#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/lanes.hpp"
#include "spmd/plugin/local_atomics.hpp"
#include "spmd/plugin/pristine.hpp"
#include "spmd/plugin/prologue.hpp"
#include "spmd/plugin/regions.hpp"
#include "spmd/plugin/report.hpp"
#include "spmd/plugin/shapes.hpp"
#include "spmd/plugin/slow_gathers.hpp"

namespace trellis::spmd {
namespace {

using llvm::Function, llvm::FunctionAnalysisManager, llvm::FunctionPassManager;

// Before the plugin's work: values out of memory, loops in simplified form, so that shapes and regions are found. Also
// at -O0.
FunctionPassManager before_regions() {
  FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  // Short loops over dimensions, which keep ids in memory.
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::IndVarSimplifyPass());
  loops.addPass(llvm::LoopFullUnrollPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(EqualSidesPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::ADCEPass());
  return passes;
}

// What shapes and cuts rely on, after the prologue was split off. For fission, loop invariants are hoisted: if
// work-items leave the loop at different times, values computed in it may differ after it.
FunctionPassManager loop_forms(bool fission) {
  FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  if (!fission) return passes;
  for (int round = 0; round < 3; ++round) {  // a value can leave a loop once its operands have
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
    passes.addPass(llvm::InstSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
  }
  return passes;
}

// After the plugin's work: hoists invariants out of work-item loops.
FunctionPassManager after_regions(bool optimise) {
  FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::SimplifyCFGPass());
  if (!optimise) {
    passes.addPass(LocalAtomicsPass());
    return passes;
  }
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  // Invariants leave the loops first, so that conditions are at the start of the loops.
  llvm::LoopPassManager early;
  early.addPass(llvm::LICMPass(llvm::LICMOptions()));
  early.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(early), /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::LoopSimplifyPass());
  if (!without("bounds")) passes.addPass(BoundsPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  if (!without("lanes")) passes.addPass(LanesPass());
  passes.addPass(LocalAtomicsPass());
  passes.addPass(llvm::VerifierPass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  loops.addPass(llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/true));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager more;
  more.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(more), /*UseMemorySSA=*/false));
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

// Debug records of variables would each have to be tracked through regions; line numbers are kept.
void drop_variables_of_debugger(Function& function) {
  std::vector<llvm::Instruction*> records;
  for (llvm::Instruction& one : llvm::instructions(function)) {
    one.dropDbgRecords();
    if (llvm::isa<llvm::DbgInfoIntrinsic>(one)) records.push_back(&one);
  }
  for (llvm::Instruction* one : records) one->eraseFromParent();
}

// Rows are short: a call for each would take longer than the copy itself.
void keep_copies_as_loops(Function& function) {
  for (const char* call : {"no-builtin-memcpy", "no-builtin-memmove", "no-builtin-memset"}) function.addFnAttr(call);
}

// At -O1 clang forbids unrolling loops; those over dimensions must be unrolled.
void allow_unrolling(Function& function) {
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* end = block.getTerminator();
    llvm::MDNode* loop = end->getMetadata(llvm::LLVMContext::MD_loop);
    if (!loop) continue;
    end->setMetadata(llvm::LLVMContext::MD_loop,
                     llvm::makePostTransformationMetadata(function.getContext(), loop, {"llvm.loop.unroll."}, {}));
  }
}

// The result of a call that may unwind belongs to a terminator, whereas LLVM's uniformity analysis only accepts values
// of other instructions as divergent: a copy represents it.
void copy_results_of_invokes(Function& function) {
  std::vector<llvm::InvokeInst*> invokes;
  for (llvm::BasicBlock& block : function)
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()); invoke && !invoke->use_empty())
      invokes.push_back(invoke);
  for (llvm::InvokeInst* invoke : invokes) {
    llvm::BasicBlock* next = invoke->getNormalDest();
    if (!next->getSinglePredecessor()) next = llvm::SplitEdge(invoke->getParent(), next);
    llvm::FoldSingleEntryPHINodes(next);
    auto* copy = new llvm::FreezeInst(invoke, invoke->getName(), next->getFirstInsertionPt());
    invoke->replaceUsesWithIf(copy, [&](llvm::Use& use) { return use.getUser() != copy; });
  }
}

bool only_known_terminators(const Function& function) {
  for (const llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block.getTerminator())) {
      report_error(*block.getTerminator(), "computed jumps cannot be split at barriers");
      return false;
    }
  return true;
}

void verify(const Function& function, const char* stage) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyFunction(function, &stream)) internal_error(function, std::string(stage) + ": " + text);
}

// Called when fission cannot split a kernel. False if continuations may not either.
bool hand_over(const Kernel& kernel, const FissionPlan& plan) {
  if (kernel.way == Way::fission_or_continuations) {
    remark_missed(*kernel.function, plan.refused, "fission cannot split this kernel, continuations do: " + plan.why);
    return true;
  }
  report_error(*plan.refused, "fission cannot split this kernel (continuations can): " + plan.why);
  return false;
}

void run(FunctionPassManager passes, Function& function, FunctionAnalysisManager& analyses) {
  passes.run(function, analyses);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
}

// A kernel ready to be cut; nothing if an error was reported.
std::optional<Kernel> prepare(Function& function, FunctionAnalysisManager& analyses, bool pristine) {
  dump(function, "0.before");
  if (!inline_calls(function)) return {};
  avoid_slow_gathers(function);
  keep_copies_as_loops(function);
  if (pristine) forget_lifetimes(function);
  drop_variables_of_debugger(function);
  allow_unrolling(function);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  run(before_regions(), function, analyses);
  dump(function, "1.cleaned");
  std::optional<Kernel> kernel = read_kernel(function);
  if (!kernel || !only_known_terminators(function) || !split_prologue(*kernel)) return {};
  copy_results_of_invokes(function);
  run(loop_forms(kernel->way != Way::continuations), function, analyses);
  dump(function, "2.prepared");
  return kernel;
}

void transform(Function& function, FunctionAnalysisManager& analyses, bool optimise) {
  Function* pristine = pristine_of(function);
  bool handed_over = false;
  if (pristine) {
    const std::optional<Kernel> kernel = prepare(*pristine, analyses, true);
    if (!kernel) return;
    split_behind_cuts(*pristine);
    const Shapes shapes(*kernel, analyses.getResult<llvm::DominatorTreeAnalysis>(*pristine));
    const FissionPlan plan = plan_fission(*kernel, shapes);
    handed_over = plan.refused != nullptr;
    if (handed_over && !hand_over(*kernel, plan)) return;
  }
  std::optional<Kernel> kernel = prepare(function, analyses, !optimise);
  if (!kernel) return;
  if (handed_over) kernel->way = Way::continuations;

  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  const Shapes shapes(*kernel, dominators);
  hoist_uniform(*kernel, shapes, analyses.getResult<llvm::AAManager>(function));
  split_behind_cuts(function);
  if (kernel->way != Way::continuations) {
    const FissionPlan plan = plan_fission(*kernel, shapes);
    if (plan.refused && pristine) {
      take_pristine_body(function, *pristine);
      analyses.invalidate(function, llvm::PreservedAnalyses::none());
      return transform(function, analyses, optimise);
    }
    if (!plan.refused) {
      apply_fission(*kernel, plan);
      split_behind_cuts(function);
    } else if (!hand_over(*kernel, plan)) {
      return;
    }
  }
  if (!without("cuts")) insert_free_cuts(*kernel, shapes);
  Regions regions = form_regions(*kernel);
  const Context context(*kernel, shapes, regions);
  emit_loops(*kernel, regions, context);
  kernel->begin->eraseFromParent();
  dump(function, "3.regions");
  verify(function, "regions");
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  run(after_regions(optimise), function, analyses);
  verify(function, "the end");
  dump(function, "4.after");
}

}  // namespace

llvm::PreservedAnalyses SpmdPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  auto kernels = kernels_of(module);
  if (kernels.empty()) return llvm::PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  kernels.remove_if([](const Function* kernel) { return is_pristine(*kernel); });
  for (Function* kernel : kernels) transform(*kernel, functions, level_ != llvm::OptimizationLevel::O0);
  drop_pristine_kernels(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace trellis::spmd
