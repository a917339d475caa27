// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/fission.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "spmd/plugin/first_cuts.hpp"
#include "spmd/plugin/regions.hpp"

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Instruction;

// True if no barrier can come first on two sides of the branch.
bool parts_for_good(const BasicBlock& block, const FirstCuts& barriers) {
  llvm::SmallSetVector<const BasicBlock*, 4> sides(llvm::succ_begin(&block), llvm::succ_end(&block));
  Cuts all;
  std::size_t count = 0;
  for (const BasicBlock* side : sides) {
    const Cuts& cuts = barriers.of(side);
    all.insert(cuts.begin(), cuts.end());
    count += cuts.size();
  }
  return all.size() == count;
}

// A separate block on every edge from a control branch, so that it begins a region.
void split_edges(BasicBlock* from) {
  llvm::SmallSetVector<BasicBlock*, 4> sides(llvm::succ_begin(from), llvm::succ_end(from));
  for (BasicBlock* side : sides) {
    if (side->getUniquePredecessor() && side->getSinglePredecessor()) {
      llvm::FoldSingleEntryPHINodes(side);
      continue;
    }
    BasicBlock* edge = BasicBlock::Create(from->getContext(), "side", from->getParent(), side);
    auto* jump = llvm::BranchInst::Create(side, edge);
    jump->setDebugLoc(from->getTerminator()->getDebugLoc());
    for (llvm::PHINode& phi : side->phis()) {
      phi.addIncoming(phi.getIncomingValueForBlock(from), edge);
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (phi.getIncomingBlock(i) == from) phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
    }
    from->getTerminator()->replaceSuccessorWith(side, edge);
  }
}

bool returns_at_once(const BasicBlock& block) {
  return &*block.getFirstNonPHIOrDbg() == block.getTerminator() && llvm::succ_empty(&block);
}

// The program ends there: no work-item reaches a cut or the kernel's end. Each region has its own copy of such blocks.
bool ends_the_program(const BasicBlock& block) {
  llvm::SmallPtrSet<const BasicBlock*, 8> seen;
  llvm::SmallVector<const BasicBlock*, 8> open = {&block};
  while (!open.empty()) {
    const BasicBlock* one = open.pop_back_val();
    if (!seen.insert(one).second) continue;
    if (llvm::isa<llvm::ReturnInst>(one->getTerminator()) || Regions::behind_cut(*one)) return false;
    open.append(llvm::succ_begin(one), llvm::succ_end(one));
  }
  return true;
}

// Blocks where different regions meet, found by labels for the region that a block belongs to.
std::vector<BasicBlock*> find_joins(const Kernel& kernel) {
  const llvm::ReversePostOrderTraversal<BasicBlock*> order(kernel.first);
  llvm::DenseMap<const BasicBlock*, const BasicBlock*> label;
  const auto begins = [&](const BasicBlock* block) {
    if (block == kernel.first) return true;
    for (const BasicBlock* from : llvm::predecessors(block)) {
      if (Regions::behind_cut(*from)) return true;
      const Instruction* cut = &from->front();
      if (cut == from->getTerminator() && from->getSinglePredecessor() &&
          Regions::behind_cut(*from->getSinglePredecessor()) &&
          cut_kind(*from->getSinglePredecessor()->getTerminator()->getPrevNonDebugInstruction()) == CutKind::control)
        return true;
    }
    return false;
  };
  // One join at a time, the first one first: with it, the labels found so far may change.
  llvm::DenseSet<const BasicBlock*> joins;
  const auto next_join = [&]() -> const BasicBlock* {
    label.clear();
    for (bool changed = true; changed;) {
      changed = false;
      for (const BasicBlock* block : order) {
        const BasicBlock* now = begins(block) || joins.contains(block) ? block : nullptr;
        if (!now) {
          for (const BasicBlock* from : llvm::predecessors(block)) {
            const BasicBlock* other = label.lookup(from);
            if (other && now && now != other) return block;
            if (other) now = other;
          }
        }
        changed = changed || label.lookup(block) != now;
        label[block] = now;
      }
    }
    return nullptr;
  };
  while (const BasicBlock* join = next_join()) joins.insert(join);
  std::vector<BasicBlock*> found;
  for (BasicBlock* block : order)
    if (joins.contains(block) && !returns_at_once(*block) && !ends_the_program(*block)) found.push_back(block);
  return found;
}

}  // namespace

FissionPlan plan_fission(const Kernel& kernel, const Shapes& shapes) {
  // The branches nearest to the end first: earlier ones may then lead to a single cut.
  BlockSet control;
  FissionPlan plan;
  while (true) {
    const std::vector<BasicBlock*> deciding = FirstCuts(kernel, control).deciding();
    if (deciding.empty()) break;
    control.insert(deciding.front());
    plan.control.push_back(deciding.front());
  }
  const BlockSet none;
  const FirstCuts barriers(kernel, none);
  for (const BasicBlock* block : barriers.order()) {
    const Instruction* branch = block->getTerminator();
    if (!control.contains(block) || plan.refused) continue;
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(branch)) {
      plan.refused = branch;
      plan.why = "an exception would decide which barrier comes next";
    } else if (!shapes.uniform_branch(*branch) && !parts_for_good(*block, barriers)) {
      plan.refused = branch;
      plan.why =
          "work-items may part at this branch, some of them on the way to a barrier, and meet again at the same "
          "barrier "
          "or at the end";
    }
  }
  return plan;
}

void cut_before_branch(BasicBlock& block) {
  split_edges(&block);
  insert_cut(block.getTerminator(), CutKind::control);
  split_behind_cuts(*block.getParent());
}

void apply_fission(const Kernel& kernel, const FissionPlan& plan) {
  for (BasicBlock* block : plan.control) cut_before_branch(*block);
  for (BasicBlock* block : find_joins(kernel)) insert_cut(&*block->getFirstInsertionPt(), CutKind::join);
}

}  // namespace trellis::spmd
