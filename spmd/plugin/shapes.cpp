// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/shapes.hpp"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "spmd/plugin/strides.hpp"

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

bool call_is_pure(const llvm::CallBase& call) {
  return is_local_memory(&call) || (call.doesNotAccessMemory() && !call.isConvergent());
}

// No work-item comes back from there.
bool ends_soon(const llvm::BasicBlock& block) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 8> open = {&block};
  while (!open.empty()) {
    const llvm::BasicBlock* one = open.pop_back_val();
    if (!seen.insert(one).second) continue;
    if (llvm::isa<llvm::ReturnInst>(one->getTerminator()) || seen.size() > 8) return false;
    open.append(llvm::succ_begin(one), llvm::succ_end(one));
  }
  return true;
}

// Makes values differ between work-items that execute the same instruction; those of one row have the same ids except
// in dimension 0.
bool is_source(const Value* value, bool of_one_row) {
  if (const int dimension = local_id_dimension(value); dimension >= 0) return dimension == 0 || !of_one_row;
  if (llvm::isa<llvm::AllocaInst>(value)) return true;  // each work-item has its own
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) return !load->isSimple();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::VAArgInst, llvm::LandingPadInst>(value))
    return true;
  // For a call that may unwind, the analysis only asks whether control diverges; its result is a freeze (pipeline.cpp).
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(value)) return !ends_soon(*invoke->getUnwindDest());
  if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(value))
    return llvm::isa<llvm::InvokeInst>(freeze->getOperand(0));
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) return !call_is_pure(*call);
  // Where one side of a join is undefined, LLVM takes the other side's value for all; a work-item that came from the
  // first side must not pass its own value to the others.
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
    for (const Value* incoming : phi->incoming_values())
      if (llvm::isa<llvm::UndefValue>(incoming)) return true;
  return false;
}

// Tells LLVM's analysis, which was made for GPUs, what diverges in our kernels.
class SpmdTarget : public llvm::TargetTransformInfoImplCRTPBase<SpmdTarget> {
 public:
  SpmdTarget(const Kernel& kernel, bool of_one_row)
      : TargetTransformInfoImplCRTPBase(kernel.function->getParent()->getDataLayout()),
        kernel_(&kernel),
        of_one_row_(of_one_row) {}
  bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
  bool isSourceOfDivergence(const Value* value) const {
    return !kernel_->group_variables.contains(value) && is_source(value, of_one_row_);
  }

 private:
  const Kernel* kernel_;
  bool of_one_row_;
};

llvm::UniformityInfo uniformity_of(llvm::DominatorTree& dominators, llvm::CycleInfo& cycles, llvm::Function& kernel,
                                   const llvm::TargetTransformInfo& target) {
  if (cycles.toplevel_begin() == cycles.toplevel_end()) cycles.compute(kernel);
  llvm::UniformityInfo uniformity(dominators, cycles, &target);
  uniformity.compute();
  return uniformity;
}

}  // namespace

bool Shapes::uniform(const Value* value) const {
  return !llvm::isa<llvm::Instruction>(value) || uniformity_.isUniform(value);
}

bool Shapes::same_in_row(const Value* value) const {
  return uniform(value) || (row_uniformity_ && row_uniformity_->isUniform(value));
}

const Shapes::Strides* Shapes::linear(const Value* value) const {
  static constexpr Strides none = {};
  if (uniform(value)) return &none;
  const auto found = strides_.find(value);
  return found == strides_.end() ? nullptr : &found->second;
}

bool Shapes::find_strides(const Instruction& instruction, Strides& strides) const {
  if (const int dimension = local_id_dimension(&instruction); dimension >= 0) {
    strides = {};
    strides[unsigned(dimension)] = 1;
    return true;
  }
  const auto is_id = [](const Value* value) { return local_id_dimension(value) >= 0; };
  for (unsigned d = 0; d < 3; ++d) {
    const auto of = [&](const Value* value) -> std::optional<std::int64_t> {
      const Strides* known = linear(value);
      return known ? std::optional((*known)[d]) : std::nullopt;
    };
    const std::optional<std::int64_t> stride = stride_of(instruction, of, is_id);
    if (!stride) return false;
    strides[d] = *stride;
  }
  return true;
}

Shapes::Shapes(const Kernel& kernel, llvm::DominatorTree& dominators)
    : target_(SpmdTarget(kernel, false)),
      row_target_(SpmdTarget(kernel, true)),
      uniformity_(uniformity_of(dominators, cycles_, *kernel.function, target_)) {
  if (kernel.dimensions > 1) row_uniformity_ = uniformity_of(dominators, cycles_, *kernel.function, row_target_);
  // One sweep in reverse post-order: phis of loops themselves count as varying, all other values have their operands
  // before them.
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(kernel.function);
  for (llvm::BasicBlock& block : *kernel.function)
    if (uniformity_.hasDivergentTerminator(block)) divergent_branches_.insert(block.getTerminator());
  for (llvm::BasicBlock* block : order)
    for (Instruction& instruction : *block) {
      Strides strides;
      if (!uniform(&instruction) && find_strides(instruction, strides)) strides_[&instruction] = strides;
    }
}

}  // namespace trellis::spmd
