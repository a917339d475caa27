// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/strides.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;
using Stride = std::optional<std::int64_t>;

// Larger strides are useless, and could overflow.
Stride sensible(std::int64_t stride) {
  constexpr std::int64_t most = std::int64_t(1) << 31;
  return stride > most || stride < -most ? Stride() : Stride(stride);
}

// True if an integer cannot have wrapped, so that extension commutes with the operation.
bool extends(const Value* value, bool is_signed, const std::function<bool(const Value*)>& is_id) {
  if (is_id(value)) return true;
  if (const auto* op = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value))
    return is_signed ? op->hasNoSignedWrap() : op->hasNoUnsignedWrap();
  if (const auto* trunc = llvm::dyn_cast<llvm::TruncInst>(value))
    return is_id(trunc->getOperand(0)) && trunc->getType()->getScalarSizeInBits() >= 32;
  return false;
}

Stride address_stride(const llvm::GetElementPtrInst& gep, const StrideOf& of) {
  if (gep.getType()->isVectorTy()) return {};
  const llvm::DataLayout& layout = gep.getModule()->getDataLayout();
  Stride sum = of(gep.getPointerOperand());
  for (auto at = llvm::gep_type_begin(gep); sum && at != llvm::gep_type_end(gep); ++at) {
    if (at.isStruct()) continue;
    const Stride index = of(at.getOperand());
    if (!index) return {};
    if (*index == 0) continue;
    if (at.getOperand()->getType()->getScalarSizeInBits() != 64) return {};
    sum = sensible(*sum + std::int64_t(at.getSequentialElementStride(layout).getFixedValue()) * *index);
  }
  return sum;
}

}  // namespace

Stride stride_of(const Instruction& instruction, const StrideOf& of, const std::function<bool(const Value*)>& is_id) {
  const auto operand = [&](unsigned n) { return of(instruction.getOperand(n)); };
  const auto constant = [&](unsigned n) -> Stride {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(n));
    if (!number || !number->getValue().isSignedIntN(32)) return {};
    return number->getSExtValue();
  };
  switch (instruction.getOpcode()) {
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return {};
      [[fallthrough]];
    case Instruction::Add:
      if (!operand(0) || !operand(1)) return {};
      return sensible(*operand(0) + *operand(1));
    case Instruction::Sub:
      if (!operand(0) || !operand(1)) return {};
      return sensible(*operand(0) - *operand(1));
    case Instruction::Mul:
      if (!operand(0) || !constant(1)) return {};
      return sensible(*operand(0) * *constant(1));
    case Instruction::Shl:
      if (!operand(0) || !constant(1) || *constant(1) < 0 || *constant(1) > 30) return {};
      return sensible(*operand(0) * (std::int64_t(1) << *constant(1)));
    case Instruction::SExt:
    case Instruction::ZExt:
      if (!extends(instruction.getOperand(0), instruction.getOpcode() == Instruction::SExt, is_id)) return {};
      return operand(0);
    case Instruction::Trunc:
      return operand(0);
    case Instruction::GetElementPtr:
      return address_stride(llvm::cast<llvm::GetElementPtrInst>(instruction), of);
    default:
      return {};
  }
}

}  // namespace trellis::spmd
