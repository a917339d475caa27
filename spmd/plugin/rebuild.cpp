// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/rebuild.hpp"

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

constexpr unsigned most_operations = 8;  // more would cost as much as a load and a store

bool cheap(const Instruction& one) {
  switch (one.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FDiv:
    case Instruction::FRem:
      return false;
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                       llvm::GetElementPtrInst>(one);
  }
}

struct Search {
  const Kernel& kernel;
  const Shapes& shapes;
  const std::function<bool(const Instruction&)>& is_place;
  unsigned operations = 0;

  bool operator()(const Instruction& value, bool top) {
    if (llvm::isa<llvm::AllocaInst>(value)) return kernel.group_variables.contains(&value) || is_place(value);
    if (kernel.in_prologue(&value) || local_id_dimension(&value) >= 0) return true;
    if (!top && shapes.uniform(&value)) return true;
    if (!top && shapes.same_in_row(&value)) return ++operations <= most_operations;
    if (!cheap(value) || ++operations > most_operations) return false;
    return llvm::all_of(value.operands(), [&](const Value* operand) {
      const auto* one = llvm::dyn_cast<Instruction>(operand);
      return !one || (*this)(*one, false);
    });
  }
};

}  // namespace

bool can_rebuild(const Instruction& value, const Kernel& kernel, const Shapes& shapes,
                 const std::function<bool(const Instruction&)>& is_place) {
  return Search{kernel, shapes, is_place}(value, true);
}

}  // namespace trellis::spmd
