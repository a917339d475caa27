// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/free_cuts.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "spmd/plugin/first_cuts.hpp"
#include "spmd/plugin/fission.hpp"
#include "spmd/plugin/rebuild.hpp"
#include "spmd/plugin/regions.hpp"

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Instruction, llvm::Value;

class Finder {
 public:
  Finder(const Kernel& kernel, const Shapes& shapes) : kernel_(kernel), shapes_(shapes) {}

  void run() {
    // Blocks change with every cut: this remembers branches instead.
    std::vector<Instruction*> tried;
    while (Instruction* branch = next_deciding(tried)) {
      tried.push_back(branch);
      if (may_cut_before(branch)) cut_before_branch(*branch->getParent());
    }
    while (Instruction* branch = next_guard(tried)) {
      tried.push_back(branch);
      cut_around(branch);
    }
  }

 private:
  Instruction* next_deciding(const std::vector<Instruction*>& tried) const {
    const BlockSet none;
    for (BasicBlock* block : FirstCuts(kernel_, none).deciding()) {
      Instruction* branch = block->getTerminator();
      if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(branch) || llvm::is_contained(tried, branch)) continue;
      if (branch == &block->front() && is_control(*block)) continue;
      if (shapes_.uniform_branch(*branch)) return branch;
    }
    return nullptr;
  }

  // The branch after a control cut decides, and is cut already.
  static bool is_control(const BasicBlock& block) {
    const BasicBlock* before = block.getSinglePredecessor();
    return before && Regions::behind_cut(*before) == &block &&
           cut_kind(*before->getTerminator()->getPrevNonDebugInstruction()) == CutKind::control;
  }

  Instruction* next_guard(const std::vector<Instruction*>& tried) const {
    for (BasicBlock& block : *kernel_.function) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (branch && branch->isConditional() && !llvm::is_contained(tried, branch) && !shapes_.uniform_branch(*branch) &&
          is_range(branch->getCondition()))
        return branch;
    }
    return nullptr;
  }

  // A comparison of an id with a uniform value, or several of them that must all hold.
  bool is_range(const Value* condition) const {
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition)) {
      const Value *a = compare->getOperand(0), *b = compare->getOperand(1);
      return (shapes_.uniform(a) && shapes_.linear(b)) || (shapes_.uniform(b) && shapes_.linear(a));
    }
    const auto* one = llvm::dyn_cast<Instruction>(condition);
    if (!one || !one->getType()->isIntegerTy(1) || one->getNumOperands() < 2) return false;
    if (one->getOpcode() != Instruction::And && one->getOpcode() != Instruction::Or &&
        one->getOpcode() != Instruction::Select)
      return false;
    return is_range(one->getOperand(0)) || is_range(one->getOperand(1));
  }

  // True if all work-items provably reach the block together.
  bool together(const BasicBlock* block) const {
    const llvm::PostDominatorTree after(*kernel_.function);
    for (const BasicBlock& from : *kernel_.function) {
      if (shapes_.uniform_branch(*from.getTerminator())) continue;
      const auto* node = after.getNode(&from);
      const BasicBlock* meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      llvm::SmallPtrSet<const BasicBlock*, 16> between;
      llvm::SmallVector<const BasicBlock*, 16> open(llvm::succ_begin(&from), llvm::succ_end(&from));
      while (!open.empty()) {
        const BasicBlock* one = open.pop_back_val();
        if (one == meet || !between.insert(one).second) continue;
        if (one == block) return false;
        open.append(llvm::succ_begin(one), llvm::succ_end(one));
      }
    }
    return true;
  }

  // Loops without barriers are not cut.
  bool in_whole_loop(const BasicBlock* block) const {
    const llvm::DominatorTree dominators(*kernel_.function);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::Loop* loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop()) {
      bool has_barrier = false;
      for (const BasicBlock* one : loop->blocks()) has_barrier |= Regions::behind_cut(*one) != nullptr;
      if (!has_barrier) return true;
    }
    return false;
  }

  // No value that would have to be kept per work-item lives across the instruction.
  bool costs_nothing(Instruction* before) const {
    for (const Instruction& one : llvm::instructions(kernel_.function))
      if (llvm::isa<llvm::AllocaInst>(one) && !kernel_.group_variables.contains(&one)) return false;
    BasicBlock* block = before->getParent();
    if (before != &block->front()) block = block->splitBasicBlock(before, "cut");
    const auto is_place = [](const Instruction&) { return false; };
    for (const Instruction& value : llvm::instructions(kernel_.function)) {
      if (kernel_.in_prologue(&value) || value.getType()->isVoidTy()) continue;
      if (shapes_.uniform(&value) || shapes_.linear(&value) || can_rebuild(value, kernel_, shapes_, is_place)) continue;
      if (live_in_blocks(value).contains(block)) return false;
    }
    return true;
  }

  bool may_cut_before(Instruction* branch) const {
    return together(branch->getParent()) && !in_whole_loop(branch->getParent()) && costs_nothing(branch);
  }

  static bool does_nothing(BasicBlock::const_iterator from, const BasicBlock& block) {
    for (auto at = from; at != block.end(); ++at)
      if (!at->isTerminator() && !cut_kind(*at) && at->mayHaveSideEffects()) return false;
    return true;
  }

  // From the block's start, nothing with side effects runs before the next cut.
  static bool ends_at_once(const BasicBlock& block) {
    if (!does_nothing(block.begin(), block)) return false;
    return Regions::behind_cut(block) || llvm::isa<llvm::ReturnInst>(block.getTerminator());
  }

  static bool begins_region(const BasicBlock& block, const Kernel& kernel) {
    if (&block == kernel.first) return true;
    const BasicBlock* from = block.getSinglePredecessor();
    return from && (Regions::behind_cut(*from) || is_control(*from));
  }

  void cut_around(Instruction* branch) const {
    BasicBlock* block = branch->getParent();
    if (!together(block) || in_whole_loop(block)) return;
    const llvm::PostDominatorTree after(*kernel_.function);
    const auto* node = after.getNode(block);
    BasicBlock* meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!meet || holds_cut(block, meet) || !one_side_empty(*block, meet)) return;
    const bool before = !(begins_region(*block, kernel_) && does_nothing(block->begin(), *block));
    const bool behind = !ends_at_once(*meet);
    if (before && !costs_nothing(branch)) return;
    Instruction* first = &*meet->getFirstInsertionPt();
    if (behind && !costs_nothing(first)) return;
    if (before) insert_cut(branch, CutKind::join);
    if (behind) insert_cut(first, CutKind::join);
    split_behind_cuts(*kernel_.function);
  }

  static bool one_side_empty(const BasicBlock& block, const BasicBlock* meet) {
    return llvm::any_of(llvm::successors(&block), [&](const BasicBlock* side) {
      while (side != meet && side->getSingleSuccessor() && &side->front() == side->getTerminator())
        side = side->getSingleSuccessor();
      return side == meet;
    });
  }

  static bool holds_cut(const BasicBlock* block, const BasicBlock* meet) {
    llvm::SmallPtrSet<const BasicBlock*, 16> between;
    llvm::SmallVector<const BasicBlock*, 16> open(llvm::succ_begin(block), llvm::succ_end(block));
    while (!open.empty()) {
      const BasicBlock* one = open.pop_back_val();
      if (one == meet || !between.insert(one).second) continue;
      if (Regions::behind_cut(*one)) return true;
      open.append(llvm::succ_begin(one), llvm::succ_end(one));
    }
    return false;
  }

  const Kernel& kernel_;
  const Shapes& shapes_;
};

}  // namespace

void insert_free_cuts(const Kernel& kernel, const Shapes& shapes) { Finder(kernel, shapes).run(); }

}  // namespace trellis::spmd
