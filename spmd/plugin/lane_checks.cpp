// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "spmd/plugin/lane_loop.hpp"

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Type, llvm::Value;

bool has_lanes(Type* type) {
  if (type->isIntegerTy())
    return type->isIntegerTy(1) || (type->getIntegerBitWidth() % 8 == 0 && type->getIntegerBitWidth() <= 64);
  return type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() || type->isPointerTy();
}

const char* no_lanes_for_call(const llvm::CallBase& call, const LaneShapes& shapes, bool uniform) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return nullptr;
  if (!call.doesNotAccessMemory() || call.isConvergent() || !call.willReturn() || !call.doesNotThrow() ||
      call.isTerminator())
    return "it calls a function that may do anything";
  if (uniform) return nullptr;
  // Among these, powi takes one exponent for all lanes.
  for (unsigned i = 0; intrinsic && i < call.arg_size(); ++i)
    if (llvm::isVectorIntrinsicWithScalarOpAtArg(intrinsic->getIntrinsicID(), i) &&
        (!shapes.uniform(call.getArgOperand(i)) || shapes.of_rows(call.getArgOperand(i))))
      return "it calls a function without a vector form";
  return intrinsic && llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())
             ? nullptr
             : "it calls a function without a vector form";
}

}  // namespace

const char* no_lanes(const Instruction& one, const LaneShapes& shapes) {
  if (one.isTerminator()) return nullptr;
  const bool uniform = shapes.stride(&one).has_value() && !llvm::isa<llvm::StoreInst>(one);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one)) {
    if (!load->isSimple()) return "it has atomic or volatile accesses";
    return uniform || (has_lanes(load->getType()) && !load->getType()->isIntegerTy(1))
               ? nullptr
               : "it loads a value that is not a number";
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
    const Type* type = store->getValueOperand()->getType();
    if (!store->isSimple()) return "it has atomic or volatile accesses";
    return has_lanes(store->getValueOperand()->getType()) && !type->isIntegerTy(1)
               ? nullptr
               : "it stores a value that is not a number";
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one)) return no_lanes_for_call(*call, shapes, uniform);
  if (one.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(one))
    return "it has memory accesses without a vector form";
  if (uniform) return nullptr;
  if (!has_lanes(one.getType())) return "it has values that are not numbers";
  for (const Value* operand : one.operands())
    if (!has_lanes(operand->getType())) return "it has values that are not numbers";
  if (llvm::isa<llvm::PHINode, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                llvm::SelectInst, llvm::GetElementPtrInst, llvm::FreezeInst>(one))
    return nullptr;
  return "it has instructions without a vector form";
}

}  // namespace trellis::spmd
