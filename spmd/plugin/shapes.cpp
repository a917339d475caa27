// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

bool call_is_pure(const llvm::CallBase& call) {
  return is_local_memory(&call) || (call.doesNotAccessMemory() && !call.isConvergent());
}

// What makes values differ between work-items that execute the same instruction.
bool is_source(const Value* value) {
  if (local_id_dimension(value) >= 0) return true;
  if (llvm::isa<llvm::AllocaInst>(value)) return true;  // each work-item has its own
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) return !load->isSimple();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::VAArgInst, llvm::LandingPadInst>(value))
    return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) return !call_is_pure(*call);
  // Where one side of a join is undefined LLVM takes the other's value for all; a work-item that came from the first
  // must not hand its own to the others.
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
    for (const Value* incoming : phi->incoming_values())
      if (llvm::isa<llvm::UndefValue>(incoming)) return true;
  return false;
}

// Tells LLVM's analysis, made for GPUs, what diverges in our kernels.
class SpmdTarget : public llvm::TargetTransformInfoImplCRTPBase<SpmdTarget> {
 public:
  SpmdTarget(const Kernel& kernel, const llvm::DataLayout& layout)
      : TargetTransformInfoImplCRTPBase(layout), kernel_(&kernel) {}
  bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
  bool isSourceOfDivergence(const Value* value) const {
    return !kernel_->group_variables.contains(value) && is_source(value);
  }

 private:
  const Kernel* kernel_;
};

llvm::UniformityInfo uniformity_of(llvm::DominatorTree& dominators, llvm::CycleInfo& cycles, llvm::Function& kernel,
                                   const llvm::TargetTransformInfo& target) {
  cycles.compute(kernel);
  llvm::UniformityInfo uniformity(dominators, cycles, &target);
  uniformity.compute();
  return uniformity;
}

}  // namespace

bool Shapes::uniform(const Value* value) const {
  return !llvm::isa<llvm::Instruction>(value) || uniformity_.isUniform(value);
}

const Shapes::Strides* Shapes::linear(const Value* value) const {
  static constexpr Strides none = {};
  if (uniform(value)) return &none;
  const auto found = strides_.find(value);
  return found == strides_.end() ? nullptr : &found->second;
}

namespace {

using Strides = Shapes::Strides;

Strides operator+(const Strides& a, const Strides& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Strides operator*(std::int64_t k, const Strides& a) { return {k * a[0], k * a[1], k * a[2]}; }

// Strides beyond this are of no use, and could overflow.
bool sensible(const Strides& strides) {
  for (const std::int64_t stride : strides)
    if (stride > (std::int64_t(1) << 31) || stride < -(std::int64_t(1) << 31)) return false;
  return true;
}

// Whether an integer operation cannot wrap, so that extending its result commutes with it.
bool extends(const Value* value, bool is_signed) {
  if (local_id_dimension(value) >= 0) return true;
  if (const auto* op = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value))
    return is_signed ? op->hasNoSignedWrap() : op->hasNoUnsignedWrap();
  if (const auto* trunc = llvm::dyn_cast<llvm::TruncInst>(value))
    // Group sizes are below 2^31, so that a local id fits.
    return local_id_dimension(trunc->getOperand(0)) >= 0 && trunc->getType()->getScalarSizeInBits() >= 32;
  return false;
}

}  // namespace

bool Shapes::find_strides(const Instruction& instruction, Strides& strides) const {
  const auto of = [&](unsigned operand) { return linear(instruction.getOperand(operand)); };
  const auto constant = [&](unsigned operand) {
    return llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(operand));
  };
  if (const int dimension = local_id_dimension(&instruction); dimension >= 0) {
    strides = {};
    strides[unsigned(dimension)] = 1;
    return true;
  }
  const auto small = [](const llvm::ConstantInt* number) { return number && number->getValue().isSignedIntN(32); };
  switch (instruction.getOpcode()) {
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return false;
      [[fallthrough]];
    case Instruction::Add:
      if (!of(0) || !of(1)) return false;
      strides = *of(0) + *of(1);
      return sensible(strides);
    case Instruction::Sub:
      if (!of(0) || !of(1)) return false;
      strides = *of(0) + (-1) * *of(1);
      return sensible(strides);
    case Instruction::Mul:
      if (small(constant(1)) && of(0))
        strides = constant(1)->getSExtValue() * *of(0);
      else
        return false;
      return sensible(strides);
    case Instruction::Shl:
      if (!constant(1) || constant(1)->getValue().uge(31) || !of(0)) return false;
      strides = (std::int64_t(1) << constant(1)->getZExtValue()) * *of(0);
      return sensible(strides);
    case Instruction::SExt:
    case Instruction::ZExt: {
      const bool is_signed = instruction.getOpcode() == Instruction::SExt;
      if (!of(0) || !extends(instruction.getOperand(0), is_signed)) return false;
      strides = *of(0);
      return true;
    }
    case Instruction::Trunc:
      if (!of(0)) return false;
      strides = *of(0);
      return true;
    case Instruction::GetElementPtr: {
      if (instruction.getType()->isVectorTy() || !of(0)) return false;
      const auto& gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
      const llvm::DataLayout& layout = instruction.getModule()->getDataLayout();
      strides = *of(0);
      for (auto at = llvm::gep_type_begin(gep); at != llvm::gep_type_end(gep); ++at) {
        if (at.isStruct()) continue;
        const Strides* index = linear(at.getOperand());
        if (!index) return false;
        if (*index == Strides{}) continue;
        if (at.getOperand()->getType()->getScalarSizeInBits() != 64) return false;
        strides = strides + std::int64_t(at.getSequentialElementStride(layout).getFixedValue()) * *index;
        if (!sensible(strides)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

Shapes::Shapes(const Kernel& kernel, llvm::DominatorTree& dominators)
    : target_(SpmdTarget(kernel, kernel.function->getParent()->getDataLayout())),
      uniformity_(uniformity_of(dominators, cycles_, *kernel.function, target_)) {
  // One sweep in reverse post-order: values of loops' own phis are found varying, all others have their operands
  // before.
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
