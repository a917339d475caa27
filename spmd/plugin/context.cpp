// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/context.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "spmd/plugin/rebuild.hpp"
#include "spmd/plugin/report.hpp"
#include "spmd/plugin/share_arrays.hpp"
#include "spmd/plugin/variables.hpp"

namespace trellis::spmd {
namespace {

using llvm::Instruction, llvm::Value;

constexpr std::uint64_t stack_limit = 64 * 1024;  // bytes of a group's replicated values on the stack
constexpr std::uint64_t alignment = 64;

std::string plural(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

llvm::Type* Context::kept_type(llvm::Type* type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

std::uint64_t Context::bytes(const Instruction& value) {
  const llvm::DataLayout& layout = value.getModule()->getDataLayout();
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value)) {
    const auto size = variable->getAllocationSize(layout);
    return llvm::alignTo(size ? size->getFixedValue() : 0, variable->getAlign());
  }
  return layout.getTypeAllocSize(kept_type(value.getType())).getFixedValue();
}

const Place* Context::place(const Instruction* value) const {
  const auto found = places_.find(const_cast<Instruction*>(value));
  return found == places_.end() ? nullptr : &found->second;
}

const llvm::SmallSetVector<Instruction*, 16>& Context::stored(const Region& region) const {
  return stored_[regions_.of_start.find(region.start)->second];
}

void Context::leaves(Instruction* value, llvm::SmallSetVector<Instruction*, 16>& found) const {
  const Place* known = place(value);
  if (known && known->kept != Kept::rebuilt) {
    if (known->kept != Kept::replicated_variable) found.insert(value);
    return;
  }
  if (kernel_.in_prologue(value) || local_id_dimension(value) >= 0) return;
  for (Value* operand : value->operands())
    if (auto* one = llvm::dyn_cast<Instruction>(operand)) leaves(one, found);
}

void Context::classify(Instruction* value) {
  if (places_.contains(value)) return;
  if (value->getType()->isTokenTy()) internal_error(*kernel_.function, "a token lives across a barrier");
  Place place;
  const auto is_place = [&](const Instruction& one) {
    const Place* known = this->place(&one);
    return known && known->kept == Kept::replicated_variable;
  };
  const bool knows_uniform = !without("uniform"), knows_contiguous = !without("contiguous");
  const Shapes::Strides* strides = knows_contiguous && !shapes_.uniform(value) ? shapes_.linear(value) : nullptr;
  if (shapes_.uniform(value) && knows_uniform) {
    place.kept = Kept::uniform;
  } else if (local_id_dimension(value) >= 0 || (knows_contiguous && can_rebuild(*value, kernel_, shapes_, is_place))) {
    place.kept = Kept::rebuilt;
    // Its operands are needed wherever it is; those that are not kept yet are the same for all or for a row.
    llvm::SmallVector<Instruction*, 8> open = {value};
    while (!open.empty()) {
      Instruction* one = open.pop_back_val();
      for (Value* operand : one->operands()) {
        auto* part = llvm::dyn_cast<Instruction>(operand);
        if (!part || kernel_.in_prologue(part) || local_id_dimension(part) >= 0) continue;
        if (shapes_.same_in_row(part))
          classify(part);
        else
          open.push_back(part);
      }
    }
  } else if (strides) {
    place.kept = Kept::linear;
    place.strides = *strides;
  } else {
    place.kept = knows_uniform && shapes_.same_in_row(value) ? Kept::row : Kept::replicated;
  }
  places_[value] = place;
}

void Context::find_variables() {
  for (Instruction& one : llvm::instructions(kernel_.function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&one);
    if (!variable || kernel_.group_variables.contains(variable) || !lives_across_cut(*variable, regions_)) continue;
    if (!variable->isStaticAlloca()) {
      report_error(*variable, "stack memory whose size is only known at run time lives across a barrier");
      continue;
    }
    bool escapes = false;
    for (const Instruction* user : users_of_variable(*variable, escapes))
      if (kernel_.in_prologue(user) && user->mayWriteToMemory())
        report_error(*variable, "a variable is written before the work-items begin, and used by them across a barrier");
    places_[variable].kept = Kept::replicated_variable;
  }
  // Lifetimes apply to whole variables, not to their elements.
  for (auto& [variable, place] : places_) drop_lifetimes(*llvm::cast<llvm::AllocaInst>(variable));
}

Context::Context(const Kernel& kernel, const Shapes& shapes, Regions& regions)
    : kernel_(kernel), shapes_(shapes), regions_(regions) {
  find_variables();
  // What decides a branch that is executed once is the same for all, proven or not (fission.hpp).
  for (const Region& region : regions_.all)
    if (region.control)
      for (Instruction* value : region.live)
        if (llvm::is_contained(region.start->getTerminator()->operands(), value)) places_[value].kept = Kept::uniform;
  for (const Region& region : regions_.all)
    for (Instruction* value : region.live) classify(value);
  for (const Region& region : regions_.all) {
    stored_.emplace_back();
    for (Instruction* value : region.live) leaves(value, stored_.back());
  }
  allocate();
}

void Context::allocate() {
  llvm::Function& function = *kernel_.function;
  llvm::BasicBlock* prologue = kernel_.begin->getParent();
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> top(&entry, entry.getFirstInsertionPt()), builder(prologue->getTerminator());
  Value* rows = builder.CreateMul(kernel_.size[1], kernel_.size[2], "spmd.all_rows", true, true);
  Value* items = builder.CreateMul(kernel_.size[0], rows, "spmd.items", true, true);
  Value* total = nullptr;
  std::vector<std::pair<std::vector<Place*>, Value*>> arrays;
  const auto add_array = [&](std::vector<Place*> places, Value* elements, std::uint64_t element_bytes) {
    arrays.emplace_back(std::move(places), total);
    Value* size = builder.CreateMul(elements, builder.getInt64(element_bytes), "", true, true);
    size = builder.CreateAnd(builder.CreateAdd(size, builder.getInt64(alignment - 1), "", true, true),
                             builder.getInt64(~(alignment - 1)));
    total = total ? builder.CreateAdd(total, size, "", true, true) : size;
  };
  std::uint64_t item_bytes = 0;
  unsigned counts[6] = {};
  std::vector<Instruction*> replicated, of_rows;
  for (auto& [value, place] : places_) {
    ++counts[unsigned(place.kept)];
    if (place.kept == Kept::uniform || place.kept == Kept::linear) {
      place.slot = top.CreateAlloca(value->getType(), nullptr, value->getName() + ".uniform");
      slots_.push_back(place.slot);
    } else if (place.kept == Kept::row) {
      of_rows.push_back(value);
    } else if (place.kept == Kept::replicated || place.kept == Kept::replicated_variable) {
      const bool is_variable = place.kept == Kept::replicated_variable;
      if (!is_variable) {
        replicated.push_back(value);
      } else {
        item_bytes += bytes(*value);
        add_array({&place}, items, bytes(*value));
      }
      remark_found(function, value,
                   std::string("replicated per work-item, ") + plural(bytes(*value), "byte") + ": " +
                       (is_variable ? "variable " : "value ") + value->getName().str());
    }
  }
  const auto kept_together = [this](Instruction* a, Instruction* b) {
    return llvm::any_of(stored_, [&](const auto& stored) { return stored.contains(a) && stored.contains(b); });
  };
  for (const auto& [values, elements] : {std::pair(&replicated, items), std::pair(&of_rows, rows)}) {
    for (const auto& group : share_arrays(*values, kept_together, &Context::bytes)) {
      std::vector<Place*> places;
      for (Instruction* value : group) places.push_back(&places_.find(value)->second);
      if (elements == items) item_bytes += bytes(*group.front());
      add_array(std::move(places), elements, bytes(*group.front()));
    }
  }
  remark_done(function, nullptr,
              plural(regions_.barriers, "barrier") + ", " + plural(regions_.all.size(), "region") +
                  "; of what lives across: " + std::to_string(counts[0]) + " uniform, " + std::to_string(counts[1]) +
                  " rebuilt, " + std::to_string(counts[2]) + " rebuilt from a uniform base, " +
                  (counts[3] > 0 ? std::to_string(counts[3]) + " kept once per row, " : "") +
                  std::to_string(counts[4]) + " values and " + std::to_string(counts[5]) + " variables replicated (" +
                  plural(item_bytes, "byte") + " per work-item)");
  if (!total) return;

  // A single block: on the stack while it is small, otherwise from the thread's arena.
  llvm::Type* byte = builder.getInt8Ty();
  Value* block = nullptr;
  const llvm::FunctionCallee arena =
      function.getParent()->getOrInsertFunction("trellis_spmd_arena", builder.getPtrTy(), builder.getInt64Ty());
  const auto on_stack = [&](Value* bytes_on_stack) {
    auto* memory = builder.CreateAlloca(byte, bytes_on_stack, "spmd.stack");
    memory->setAlignment(llvm::Align(alignment));
    return memory;
  };
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(total)) {
    if (constant->getZExtValue() <= stack_limit) {
      auto* memory = top.CreateAlloca(byte, total, "spmd.stack");
      memory->setAlignment(llvm::Align(alignment));
      block = memory;
    } else {
      block = builder.CreateCall(arena, {total}, "spmd.arena");
    }
  } else {
    Value* large = builder.CreateICmpUGT(total, builder.getInt64(stack_limit), "spmd.large");
    Value* stack = on_stack(builder.CreateSelect(large, builder.getInt64(0), total));
    llvm::BasicBlock* rest = prologue->splitBasicBlock(builder.GetInsertPoint(), "spmd.replicated");
    llvm::BasicBlock* call = llvm::BasicBlock::Create(function.getContext(), "spmd.large", &function, rest);
    prologue->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(call, rest, large, prologue);
    builder.SetInsertPoint(call);
    Value* heap = builder.CreateCall(arena, {total}, "spmd.arena");
    builder.CreateBr(rest);
    builder.SetInsertPoint(rest, rest->begin());
    llvm::PHINode* either = builder.CreatePHI(builder.getPtrTy(), 2, "spmd.block");
    either->addIncoming(stack, prologue);
    either->addIncoming(heap, call);
    block = either;
    builder.SetInsertPoint(rest->getTerminator());
  }
  for (auto& [places, offset] : arrays) {
    Value* array =
        offset ? builder.CreateGEP(byte, block, {offset}, "spmd.array", llvm::GEPNoWrapFlags::inBounds()) : block;
    for (Place* place : places) place->array = array;
  }
}

}  // namespace trellis::spmd
