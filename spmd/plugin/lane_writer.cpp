// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/lane_writer.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include "spmd/plugin/masked_loops.hpp"

namespace trellis::spmd {

using llvm::BasicBlock, llvm::Instruction, llvm::Type, llvm::Value;

LaneWriter::LaneWriter(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes, unsigned rows)
    : loop_(loop),
      shapes_(shapes),
      lanes_(lanes),
      rows_(rows),
      function_(*loop.before->getParent()),
      builder_(function_.getContext()) {}

void LaneWriter::write(BasicBlock* enter, BasicBlock* after, Value* start, Value* whole) {
  enter_ = enter;
  after_ = after;
  start_ = start;
  whole_ = whole;
  for (BasicBlock* block : shapes_.order()) {
    BasicBlock* copy = BasicBlock::Create(function_.getContext(), block->getName() + ".lanes", &function_, after_);
    copies_[block] = copy;
    originals_[copy] = block;
  }
  enter_->getTerminator()->replaceSuccessorWith(after_, copies_[loop_.loop->getHeader()]);
  for (BasicBlock* block : shapes_.order()) {
    builder_.SetInsertPoint(copies_[block]);
    if (shapes_.masked(block)) block_masks_[block] = block_mask(block);
    for (Instruction& one : *block) {
      const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&one);
      if (one.isTerminator())
        leave(block);
      else if (&one != loop_.compare && !(call && call->isAssumeLikeIntrinsic()))
        write(one);
    }
  }
  for (llvm::PHINode* phi : phis_) complete(*phi);
}

// --- Masks cover all rows; nullptr means "all lanes".

// The lanes that go from one block to another; at the end of `from`.
Value* LaneWriter::edge_mask(BasicBlock* from, BasicBlock* to) {
  const bool all_rows = rows_ > 1;
  Instruction* end = from->getTerminator();
  Value* mask = nullptr;
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(end);
      branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
    mask = vector(branch->getCondition(), all_rows);
    if (branch->getSuccessor(1) == to) mask = builder_.CreateNot(mask);
  } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
    Value* condition = vector(choice->getCondition(), all_rows);
    Value *any = nullptr, *others = nullptr;
    for (const auto& one : choice->cases()) {
      Value* equal = builder_.CreateICmpEQ(condition, vector(one.getCaseValue(), all_rows));
      Value*& which = one.getCaseSuccessor() == to ? any : others;
      which = which ? builder_.CreateOr(which, equal) : equal;
    }
    if (choice->getDefaultDest() == to)
      mask = others ? builder_.CreateNot(others) : nullptr;
    else
      mask = any;
  }
  return both(mask_of(from), mask);
}

Value* LaneWriter::block_mask(BasicBlock* block) {
  Value* mask = nullptr;
  llvm::SmallSetVector<BasicBlock*, 4> from(llvm::pred_begin(block), llvm::pred_end(block));
  for (BasicBlock* one : from) {
    Value* edge = edge_masks_[{one, block}];
    mask = mask ? builder_.CreateOr(mask, edge) : edge;
  }
  return mask;
}

// The end of a block: its branch or, where there are masks, the jump to the next masked block.
void LaneWriter::leave(BasicBlock* block) {
  Instruction* end = block->getTerminator();
  if (block == loop_.latch) {
    Value* next = builder_.CreateAdd(scalar(loop_.id), builder_.getInt64(lanes_), "spmd.chunk", true, true);
    chunk_ = next;
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, whole_), after_, copies_[loop_.loop->getHeader()]);
    return;
  }
  const bool masks = shapes_.masked(block) || shapes_.divergent_branch(block);
  if (!masks) {
    Instruction* copy = builder_.Insert(end->clone());
    copy->setDebugLoc(end->getDebugLoc());
    for (llvm::Use& operand : copy->operands())
      operand.set(llvm::isa<BasicBlock>(operand) ? copies_[llvm::cast<BasicBlock>(operand)] : scalar(operand));
    return;
  }
  for (BasicBlock* next : llvm::successors(block))
    if (!edge_masks_.count({block, next})) edge_masks_[{block, next}] = edge_mask(block, next);
  builder_.CreateBr(copies_[shapes_.following(block)]);
}

void LaneWriter::write(Instruction& one) {
  builder_.SetCurrentDebugLocation(one.getDebugLoc());
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&one)) return write_phi(*phi);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) return write_store(*store);
  if (is_any(&one)) {
    scalars_[&one].push_back(any(vector(one.getOperand(0), rows_ > 1)));
    return;
  }
  if (shapes_.stride(&one)) return write_scalar(one);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&one))
    vectors_[&one] = load_lanes(*load);
  else
    vectors_[&one] = write_vector(one);
}

// --- Phis: those of loops and of branches that all lanes take together remain; where masked sides meet they are
// selects.

void LaneWriter::write_phi(llvm::PHINode& phi) {
  BasicBlock* block = phi.getParent();
  const bool linear = shapes_.stride(&phi).has_value();
  if (shapes_.masked(block)) {
    if (linear)
      for (unsigned row = 0; row < rows_of(&phi); ++row) scalars_[&phi].push_back(scalar(phi.hasConstantValue(), row));
    else
      vectors_[&phi] =
          choose(phi, [](BasicBlock*) { return true; }, [&](Value* value) { return vector(value, wide(&phi)); }, true);
    return;
  }
  const auto make = [&](Type* type) {
    auto* copy = llvm::PHINode::Create(type, phi.getNumIncomingValues(), phi.getName());
    copy->insertInto(copies_[block], copies_[block]->getFirstNonPHIIt());
    return copy;
  };
  if (linear)
    for (unsigned row = 0; row < rows_of(&phi); ++row) scalars_[&phi].push_back(make(phi.getType()));
  else
    vectors_[&phi] = make(vector_type(phi.getType(), wide(&phi)));
  phis_.push_back(&phi);
}

// Combines the values coming in from the wanted blocks. Without masks they are the same on all possible paths.
Value* LaneWriter::choose(llvm::PHINode& phi, llvm::function_ref<bool(BasicBlock*)> wanted,
                          llvm::function_ref<Value*(Value*)> written, bool mask) {
  Value* chosen = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    BasicBlock* from = phi.getIncomingBlock(i);
    if (!wanted(from)) continue;
    Value* value = written(phi.getIncomingValue(i));
    if (chosen == value) continue;
    Value* edge = mask ? edge_masks_.lookup({from, phi.getParent()}) : nullptr;
    chosen = chosen && edge ? builder_.CreateSelect(edge, value, chosen) : value;
  }
  return chosen;
}

// What comes from the copy of a block: paths from masked blocks arrive together, from the last of them.
Value* LaneWriter::arriving(llvm::PHINode& phi, BasicBlock* from, llvm::function_ref<Value*(Value*)> written,
                            bool mask) {
  if (!shapes_.masked(from) && !shapes_.divergent_branch(from)) return written(phi.getIncomingValueForBlock(from));
  BasicBlock* opener = shapes_.opener(from);
  return choose(phi, [&](BasicBlock* one) { return shapes_.opener(one) == opener; }, written, mask);
}

void LaneWriter::complete(llvm::PHINode& phi) {
  if (&phi == loop_.id) {
    auto* copy = llvm::cast<llvm::PHINode>(scalar(&phi));
    copy->addIncoming(start_, enter_);
    copy->addIncoming(chunk_, copies_[loop_.latch]);
    return;
  }
  BasicBlock* block = phi.getParent();
  const auto fill = [&](Value* copy, llvm::function_ref<Value*(Value*)> written, bool mask) {
    llvm::SmallSetVector<BasicBlock*, 4> arrive(llvm::pred_begin(copies_[block]), llvm::pred_end(copies_[block]));
    for (BasicBlock* from_copy : arrive) {
      builder_.SetInsertPoint(from_copy->getTerminator());
      Value* value = arriving(phi, originals_[from_copy], written, mask);
      for (BasicBlock* one : llvm::predecessors(copies_[block]))
        if (one == from_copy) llvm::cast<llvm::PHINode>(copy)->addIncoming(value, from_copy);
    }
  };
  if (!shapes_.stride(&phi)) {
    fill(vectors_[&phi], [&](Value* value) { return vector(value, wide(&phi)); }, true);
    return;
  }
  for (unsigned row = 0; row < rows_of(&phi); ++row)
    fill(scalar(&phi, row), [&](Value* value) { return scalar(value, row); }, false);
}

}  // namespace trellis::spmd
