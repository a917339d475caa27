// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <numeric>

#include "spmd/plugin/lane_writer.hpp"

namespace trellis::spmd {

using llvm::Instruction, llvm::Type, llvm::Value;

bool LaneWriter::inside(const Value* value) const {
  const auto* one = llvm::dyn_cast<Instruction>(value);
  return one && loop_.loop->contains(one);
}

Type* LaneWriter::vector_type(Type* type, bool wide) const {
  return llvm::FixedVectorType::get(type, wide ? lanes_ * rows_ : lanes_);
}

Value* LaneWriter::scalar(Value* value, unsigned row) const {
  const auto found = scalars_.find(value);
  if (found == scalars_.end()) return value;  // from outside
  return found->second[found->second.size() == 1 ? 0 : row];
}

// Moves the builder to where a value derived from this one is available to all of its uses.
void LaneWriter::go_behind(Value* value) {
  auto* one = llvm::dyn_cast<Instruction>(value);
  if (!one || !originals_.count(one->getParent()))
    builder_.SetInsertPoint(enter_->getTerminator());
  else if (llvm::isa<llvm::PHINode>(one))
    builder_.SetInsertPoint(one->getParent(), one->getParent()->getFirstInsertionPt());
  else
    builder_.SetInsertPoint(one->getParent(), std::next(one->getIterator()));
}

// The lanes in one row, for a value that follows from the first lane's.
Value* LaneWriter::lanes_of_scalar(Value* value, unsigned row) {
  Value* first = scalar(value, row);
  const std::int64_t stride = *shapes_.stride(value);
  const bool pointer = value->getType()->isPointerTy();
  if (stride == 0 || !pointer) {
    Value* all = builder_.CreateVectorSplat(lanes_, first);
    if (stride == 0) return all;
    first = all;
  }
  Type* type = pointer ? builder_.getInt64Ty() : value->getType();
  llvm::SmallVector<llvm::Constant*, 32> offsets;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    offsets.push_back(llvm::ConstantInt::get(type, std::uint64_t(stride * std::int64_t(lane)), true));
  Value* steps = llvm::ConstantVector::get(offsets);
  return pointer ? builder_.CreateGEP(builder_.getInt8Ty(), first, steps) : builder_.CreateAdd(first, steps);
}

// `wide`: for all rows, whether they differ or not.
Value* LaneWriter::vector(Value* value, bool wide) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(wide ? lanes_ * rows_ : lanes_), constant);
  const auto before = builder_.saveIP();
  Value*& known = vectors_[value];
  if (!known) {
    const unsigned rows = rows_of(value);
    go_behind(scalar(value, rows - 1));
    llvm::SmallVector<Value*, 8> parts;
    for (unsigned row = 0; row < rows; ++row) parts.push_back(lanes_of_scalar(value, row));
    known = rows == 1 ? parts[0] : llvm::concatenateVectors(builder_, parts);
  }
  Value* result = known;
  if (wide && !this->wide(value)) {
    Value*& repeated = repeated_[value];
    if (!repeated) {
      go_behind(result);
      llvm::SmallVector<int, 64> pick;
      for (unsigned lane = 0; lane < lanes_ * rows_; ++lane) pick.push_back(int(lane % lanes_));
      repeated = builder_.CreateShuffleVector(result, pick);
    }
    result = repeated;
  }
  builder_.restoreIP(before);
  return result;
}

Value* LaneWriter::row_of(Value* vector, unsigned row) {
  if (!vector || rows_ == 1) return vector;
  llvm::SmallVector<int, 32> pick(lanes_);
  std::iota(pick.begin(), pick.end(), int(row * lanes_));
  return builder_.CreateShuffleVector(vector, pick);
}

Value* LaneWriter::last_lane(Value* value) {
  if (!inside(value)) return value;
  if (value == loop_.next) return whole_;
  if (shapes_.uniform(value)) return scalar(value);
  return builder_.CreateExtractElement(vector(value, false), lanes_ - 1);
}

// Values that are the same in all lanes, or follow from the first lane's.
void LaneWriter::write_scalar(Instruction& one) {
  Value* mask = mask_of(one.getParent());
  Scalars copies;
  for (unsigned row = 0; row < rows_of(&one); ++row) {
    Instruction* copy = one.clone();
    for (llvm::Use& operand : copy->operands()) operand.set(scalar(operand, row));
    if (mask) {
      copy->dropPoisonGeneratingFlags();
      copy->dropUBImplyingAttrsAndMetadata();
      Value* own_mask = row_of(mask, row);
      if (llvm::isa<llvm::LoadInst>(copy)) {
        // There may be no active lane, and the address may be invalid: the loop's dummy memory is used then.
        copy->setOperand(0, builder_.CreateSelect(any(own_mask), copy->getOperand(0), dummy(one.getType())));
      } else if (one.isIntDivRem()) {
        copy->setOperand(
            1, builder_.CreateSelect(any(own_mask), copy->getOperand(1), llvm::ConstantInt::get(one.getType(), 1)));
      }
    }
    builder_.Insert(copy, one.getName());
    copy->setDebugLoc(one.getDebugLoc());
    copies.push_back(copy);
  }
  scalars_[&one] = copies;
}

namespace {

Value* keep_flags(Value* result, const Instruction& one, Value* mask) {
  auto* copy = llvm::dyn_cast<Instruction>(result);
  if (!copy) return result;
  copy->copyIRFlags(&one);
  if (mask) copy->dropPoisonGeneratingFlags();
  return result;
}

}  // namespace

Value* LaneWriter::write_vector(Instruction& one) {
  Value* mask = mask_of(one.getParent());
  const bool wide = this->wide(&one);
  const auto operand = [&](unsigned n) { return vector(one.getOperand(n), wide); };
  // True if the value is the same in all lanes that are being written.
  const auto single = [&](Value* value) { return shapes_.uniform(value) && !this->wide(value); };
  const auto either = [&](Value* value) { return single(value) ? scalar(value) : vector(value, wide); };
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&one)) return write_call(*call);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&one))
    return builder_.CreateSelect(either(select->getCondition()), operand(1), operand(2));
  if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&one)) {
    llvm::SmallVector<Value*, 4> indices;
    for (Value* index : gep->indices()) indices.push_back(either(index));
    return builder_.CreateGEP(gep->getSourceElementType(), either(gep->getPointerOperand()), indices, one.getName());
  }
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&one))
    return keep_flags(
        builder_.CreateCast(cast->getOpcode(), operand(0), vector_type(one.getType(), wide), one.getName()), one, mask);
  if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&one))
    return keep_flags(builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1), one.getName()), one, mask);
  if (llvm::isa<llvm::FreezeInst>(one)) return builder_.CreateFreeze(operand(0));
  if (one.isUnaryOp())
    return keep_flags(builder_.CreateUnOp(llvm::Instruction::UnaryOps(one.getOpcode()), operand(0)), one, mask);
  Value* second = operand(1);
  if (mask && one.isIntDivRem())
    second = builder_.CreateSelect(mask, second, vector(llvm::ConstantInt::get(one.getType(), 1), wide));
  return keep_flags(
      builder_.CreateBinOp(llvm::Instruction::BinaryOps(one.getOpcode()), operand(0), second, one.getName()), one,
      mask);
}

Value* LaneWriter::write_call(llvm::CallInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  const bool wide = this->wide(&call);
  llvm::SmallVector<Type*, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) types.push_back(vector_type(call.getType(), wide));
  llvm::SmallVector<Value*, 4> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* argument = call.getArgOperand(i);
    argument = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i) ? scalar(argument) : vector(argument, wide);
    arguments.push_back(argument);
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, int(i))) types.push_back(argument->getType());
  }
  llvm::Function* callee = llvm::Intrinsic::getDeclaration(function_.getParent(), id, types);
  auto* copy = builder_.CreateCall(callee, arguments, call.getName());
  if (llvm::isa<llvm::FPMathOperator>(copy)) copy->copyFastMathFlags(&call);
  return copy;
}

}  // namespace trellis::spmd
