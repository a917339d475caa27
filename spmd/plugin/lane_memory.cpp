// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <llvm/Analysis/VectorUtils.h>

#include "spmd/plugin/lane_writer.hpp"
#include "spmd/plugin/slow_gathers.hpp"

namespace trellis::spmd {

using llvm::Instruction, llvm::Type, llvm::Value;

namespace {

void keep_metadata(Instruction& result, const Instruction& one) {
  result.copyMetadata(one, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                            llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_access_group});
}

}  // namespace

Value* LaneWriter::dummy(Type* type) {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  auto* slot = new llvm::AllocaInst(type, 0, "spmd.nothing", entry.getFirstInsertionPt());
  new llvm::StoreInst(llvm::Constant::getNullValue(type), slot, std::next(slot->getIterator()));
  return slot;
}

// A mask for each lane would be a branch each: lanes that are off access dummy memory instead.
Value* LaneWriter::step_aside(Value*& pointers, Value* mask, Type* type) {
  if (!mask || !gathers_are_slow(function_)) return mask;
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  pointers = builder_.CreateSelect(mask, pointers, builder_.CreateVectorSplat(lanes, dummy(type)));
  return nullptr;
}

// The stride of an address in elements of this type; nothing if it is not an integer.
std::optional<std::int64_t> LaneWriter::elements_apart(Value* pointer, Type* type) const {
  const auto stride = shapes_.stride(pointer);
  const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
  const auto size = std::int64_t(layout.getTypeStoreSize(type).getFixedValue());
  if (!stride || layout.getTypeSizeInBits(type) != layout.getTypeAllocSizeInBits(type) || *stride % size != 0)
    return {};
  return *stride / size;
}

Value* LaneWriter::load_row(llvm::LoadInst& load, unsigned row, std::int64_t apart, Value* mask) {
  Type* type = load.getType();
  const llvm::Align align = load.getAlign();
  Value* first = scalar(load.getPointerOperand(), row);
  if (apart == 1) {
    auto* result = mask ? builder_.CreateMaskedLoad(vector_type(type, false), first, align, row_of(mask, row))
                        : llvm::cast<Instruction>(builder_.CreateAlignedLoad(vector_type(type, false), first, align));
    keep_metadata(*result, load);
    return result;
  }
  // Loads everything between the first and the last lane, no further, and picks the strided elements.
  const auto step = unsigned(apart);
  auto* all = builder_.CreateAlignedLoad(llvm::FixedVectorType::get(type, (lanes_ - 1) * step + 1), first, align);
  keep_metadata(*all, load);
  llvm::SmallVector<int, 32> pick;
  for (unsigned lane = 0; lane < lanes_; ++lane) pick.push_back(int(lane * step));
  return builder_.CreateShuffleVector(all, pick);
}

Value* LaneWriter::load_lanes(llvm::LoadInst& load) {
  Value* mask = mask_of(load.getParent());
  const bool wide = this->wide(&load);
  const auto apart = elements_apart(load.getPointerOperand(), load.getType());
  if (apart && (*apart == 1 || (*apart > 1 && *apart <= 4 && !mask))) {
    llvm::SmallVector<Value*, 8> parts;
    for (unsigned row = 0; row < rows_of(&load); ++row) parts.push_back(load_row(load, row, *apart, mask));
    return parts.size() == 1 ? parts[0] : llvm::concatenateVectors(builder_, parts);
  }
  Value* pointers = vector(load.getPointerOperand(), wide);
  mask = step_aside(pointers, mask, load.getType());
  auto* result = builder_.CreateMaskedGather(vector_type(load.getType(), wide), pointers, load.getAlign(),
                                             mask ? mask : vector(builder_.getTrue(), wide));
  keep_metadata(*result, load);
  return result;
}

void LaneWriter::write_store(llvm::StoreInst& store) {
  Value *mask = mask_of(store.getParent()), *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  const bool wide = this->wide(&store);
  const llvm::Align align = store.getAlign();
  const auto apart = elements_apart(pointer, value->getType());
  if (apart && *apart == 1) {
    Value* all = vector(value, wide);
    for (unsigned row = 0; row < rows_of(&store); ++row) {
      Value *own = wide ? row_of(all, row) : all, *first = scalar(pointer, row);
      keep_metadata(mask ? *builder_.CreateMaskedStore(own, first, align, row_of(mask, row))
                         : *llvm::cast<Instruction>(builder_.CreateAlignedStore(own, first, align)),
                    store);
    }
  } else if (shapes_.uniform(pointer) && !mask) {
    // One place for all lanes: the last lane's value stays.
    for (unsigned row = 0; row < rows_of(&store); ++row) {
      Value* last = shapes_.uniform(value)
                        ? scalar(value, row)
                        : builder_.CreateExtractElement(vector(value, wide), row * lanes_ + lanes_ - 1);
      keep_metadata(*builder_.CreateAlignedStore(last, scalar(pointer, row), align), store);
    }
  } else {
    Value* pointers = vector(pointer, wide);
    mask = step_aside(pointers, mask, value->getType());
    keep_metadata(*builder_.CreateMaskedScatter(vector(value, wide), pointers, align,
                                                mask ? mask : vector(builder_.getTrue(), wide)),
                  store);
  }
}

}  // namespace trellis::spmd
