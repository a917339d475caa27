// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/lane_shapes.hpp"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "spmd/plugin/masked_loops.hpp"
#include "spmd/plugin/strides.hpp"

namespace trellis::spmd {

using llvm::BasicBlock, llvm::Instruction, llvm::Value;

LaneShapes::LaneShapes(llvm::Loop& loop, llvm::PHINode& id, llvm::LoopInfo& loops,
                       llvm::PostDominatorTree& post_dominators, const RowValues* rows, bool despite_uneven)
    : loop_(loop),
      id_(id),
      loops_(loops),
      post_dominators_(post_dominators),
      in_rows_(rows != nullptr),
      despite_uneven_(despite_uneven) {
  if (rows) of_rows_ = *rows;
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  order_.assign(order.begin(), order.end());
  find();
  if (despite_uneven_) return;
  while (refused_.empty() && enclose_ways_in()) find();
  if (refused_.empty()) chain();
}

// Masked blocks must be entered only from masked blocks or from the branch before them. If another path leads in, the
// uniform branch that it comes from gets masks too. True if there was one.
bool LaneShapes::enclose_ways_in() {
  for (BasicBlock* block : order_) {
    if (!masked(block)) continue;
    for (const BasicBlock* from : llvm::predecessors(block)) {
      if (masked(from) || divergent_branch(from)) continue;
      const llvm::Loop* around = loops_.getLoopFor(from);
      while (llvm::succ_size(from) < 2 && from != around->getHeader() && from->getSinglePredecessor())
        from = from->getSinglePredecessor();
      if (llvm::succ_size(from) < 2 || loops_.getLoopFor(from) != around || divergent_branch(from)) {
        refused_ = "branches of work-items overlap";
        return false;
      }
      diverge(from);
      return true;
    }
  }
  return false;
}

// Masked blocks after one branch follow one another, in order.
void LaneShapes::chain() {
  for (BasicBlock* block : order_) {
    if (masked(block) || !divergent_branch(block)) continue;
    llvm::SmallPtrSet<BasicBlock*, 8> behind;
    BasicBlock* meet = nullptr;
    llvm::SmallVector<BasicBlock*, 8> open(llvm::succ_begin(block), llvm::succ_end(block));
    while (!open.empty()) {
      BasicBlock* one = open.pop_back_val();
      if (masked(one)) {
        if (behind.insert(one).second) open.append(llvm::succ_begin(one), llvm::succ_end(one));
        continue;
      }
      if (meet && meet != one) refused_ = "branches of work-items overlap";
      meet = one;
    }
    BasicBlock* last = block;
    for (BasicBlock* one : order_) {
      if (!behind.contains(one)) continue;
      if (!opener_.try_emplace(one, block).second) refused_ = "branches of work-items overlap";
      following_[last] = one;
      last = one;
    }
    following_[last] = meet;
  }
}

std::optional<std::int64_t> LaneShapes::stride(const Value* value) const {
  const Shape known = shape(value);
  return known.known == Known::linear ? std::optional(known.stride) : std::nullopt;
}

LaneShapes::Shape LaneShapes::shape(const Value* value) const {
  const auto* one = llvm::dyn_cast<Instruction>(value);
  if (!one || !loop_.contains(one)) return {Known::linear, 0};
  return shapes_.lookup(one);
}

LaneShapes::Shape LaneShapes::compute_phi(const llvm::PHINode& phi) const {
  if (&phi == &id_) return {Known::linear, 1};
  Shape all;
  for (const Value* incoming : phi.incoming_values()) {
    const Shape one = shape(incoming);
    if (one.known == Known::not_yet) continue;
    if (one.known == Known::varying || (all.known == Known::linear && all.stride != one.stride))
      return {Known::varying, 0};
    all = one;
  }
  if (joins_.contains(phi.getParent()) && !phi.hasConstantValue()) return {Known::varying, 0};
  return all;
}

LaneShapes::Shape LaneShapes::compute(const Instruction& one) const {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&one)) return compute_phi(*phi);
  if (is_any(&one)) return {Known::linear, 0};
  bool waits = false, same = true;
  for (const Value* operand : one.operands()) {
    if (llvm::isa<BasicBlock>(operand)) continue;
    const Shape known = shape(operand);
    waits |= known.known == Known::not_yet;
    same &= known.known == Known::linear && known.stride == 0;
  }
  if (waits) return {};
  if (same) return {Known::linear, 0};
  const auto stride = stride_of(
      one, [&](const Value* value) { return this->stride(value); }, [&](const Value* value) { return value == &id_; });
  return stride ? Shape{Known::linear, *stride} : Shape{Known::varying, 0};
}

// Values behind masks are computed for each row, since the masks are.
bool LaneShapes::becomes_of_rows(const Instruction& one) const {
  if (!in_rows_ || of_rows_.contains(&one) || is_any(&one)) return false;
  if (masked(one.getParent()) || (llvm::isa<llvm::PHINode>(one) && joins_.contains(one.getParent()))) return true;
  return llvm::any_of(one.operands(), [&](const llvm::Use& operand) { return of_rows_.contains(operand); });
}

// Everything between a divergent branch and the point where its sides meet again is masked.
void LaneShapes::diverge(const BasicBlock* block) {
  if (!divergent_.insert(block).second) return;
  const auto* node = post_dominators_.getNode(block);
  const BasicBlock* meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!meet || !loop_.contains(meet)) {
    refused_ = "work-items leave at different places";
    return;
  }
  llvm::Loop* around = loops_.getLoopFor(block);
  if (loops_.getLoopFor(meet) != around) {
    refuse_uneven(around, true, "the trip count of a loop inside differs between work-items");
    return;
  }
  llvm::SmallVector<const BasicBlock*, 8> open(llvm::succ_begin(block), llvm::succ_end(block));
  while (!open.empty()) {
    const BasicBlock* one = open.pop_back_val();
    if (one == meet || !masked_.insert(one).second) continue;
    if (one == block || loops_.getLoopFor(one) != around || one == around->getHeader()) {
      refuse_uneven(loops_.getLoopFor(one) == around ? nullptr : loops_.getLoopFor(one), false,
                    "a loop inside runs for some of the work-items only");
      return;
    }
    open.append(llvm::succ_begin(one), llvm::succ_end(one));
    joins_.insert(one);
  }
  joins_.insert(meet);
}

void LaneShapes::refuse_uneven(llvm::Loop* uneven, bool entered_by_all, const char* why) {
  if (!despite_uneven_ || !uneven) refused_ = why;
  if (uneven_loop_) return;
  uneven_loop_ = uneven;
  entered_by_all_ = entered_by_all;
}

void LaneShapes::find() {
  for (bool changed = true; changed && refused_.empty();) {
    changed = false;
    for (BasicBlock* block : order_) {
      for (const Instruction& one : *block) {
        if (one.isTerminator()) continue;
        if (becomes_of_rows(one)) changed = of_rows_.insert(&one).second;
        const Shape now = compute(one);
        Shape& before = shapes_[&one];
        // Shapes can only get worse.
        if (before.known == Known::varying || (now.known == before.known && now.stride == before.stride)) continue;
        before = before.known == Known::linear ? Shape{Known::varying, 0} : now;
        changed = true;
      }
      const Instruction* end = block->getTerminator();
      if (end->getNumSuccessors() < 2 || block == loop_.getLoopLatch() || divergent_.contains(block)) continue;
      if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(end)) {
        refused_ = "a call may leave by an exception";
        return;
      }
      const Shape condition = shape(end->getOperand(0));
      if (condition.known == Known::not_yet ||
          (condition.known == Known::linear && condition.stride == 0 && !of_rows(end->getOperand(0))))
        continue;
      diverge(block);
      changed = true;
      if (!refused_.empty()) return;
    }
  }
}

}  // namespace trellis::spmd
