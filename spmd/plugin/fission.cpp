// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "fission.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

#include "regions.hpp"

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Instruction;

// Cuts by the block that ends in them; nullptr is the end of the kernel.
using Cuts = std::set<const BasicBlock*>;
using Blocks = llvm::SmallSetVector<BasicBlock*, 16>;

class Planner {
 public:
  Planner(const Kernel& kernel, const Shapes& shapes) : shapes_(shapes) {
    const llvm::ReversePostOrderTraversal<BasicBlock*> order(kernel.first);
    order_.assign(order.begin(), order.end());
  }

  FissionPlan plan() {
    // The branches nearest to the end first: those before them may then lead to one cut alone.
    while (BasicBlock* block = deciding_branch()) control_.insert(block);
    const auto barriers = first_cuts(/*with_control=*/false);
    FissionPlan plan;
    for (BasicBlock* block : order_) {
      if (!control_.contains(block)) continue;
      plan.control.push_back(block);
      const Instruction* branch = block->getTerminator();
      if (plan.refused) continue;
      if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(branch)) {
        plan.refused = branch;
        plan.why = "an exception would decide which barrier comes next";
      } else if (!shapes_.uniform_branch(*branch) && !parts_for_good(*block, barriers)) {
        plan.refused = branch;
        plan.why =
            "work-items may part at this branch, some of them on the way to a barrier, and meet again at the same "
            "barrier "
            "or at the end";
      }
    }
    return plan;
  }

 private:
  // For each block: the cuts that may come first from its start on.
  llvm::DenseMap<const BasicBlock*, Cuts> first_cuts(bool with_control) const {
    llvm::DenseMap<const BasicBlock*, Cuts> first;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
        BasicBlock* block = *at;
        Cuts cuts;
        if (Regions::behind_cut(*block) || (with_control && control_.contains(block))) {
          cuts.insert(block);
        } else if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
          cuts.insert(nullptr);
        } else {
          for (const BasicBlock* next : llvm::successors(block)) {
            const Cuts more = first[next];
            cuts.insert(more.begin(), more.end());
          }
        }
        if (cuts != first[block]) {
          first[block] = std::move(cuts);
          changed = true;
        }
      }
    }
    return first;
  }

  BasicBlock* deciding_branch() const {
    auto first = first_cuts(/*with_control=*/true);
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      BasicBlock* block = *at;
      if (control_.contains(block) || Regions::behind_cut(*block)) continue;
      const Cuts* one = nullptr;
      for (const BasicBlock* next : llvm::successors(block)) {
        const Cuts& cuts = first.find(next)->second;
        if (cuts.empty()) continue;  // the program ends there, or never does
        if (one && *one != cuts) return block;
        one = &cuts;
      }
    }
    return nullptr;
  }

  // Whether no barrier may come first on two sides of the branch.
  static bool parts_for_good(const BasicBlock& block, const llvm::DenseMap<const BasicBlock*, Cuts>& barriers) {
    llvm::SmallSetVector<const BasicBlock*, 4> sides(llvm::succ_begin(&block), llvm::succ_end(&block));
    Cuts all;
    std::size_t count = 0;
    for (const BasicBlock* side : sides) {
      const Cuts& cuts = barriers.find(side)->second;
      all.insert(cuts.begin(), cuts.end());
      count += cuts.size();
    }
    return all.size() == count;
  }

  const Shapes& shapes_;
  std::vector<BasicBlock*> order_;
  llvm::DenseSet<const BasicBlock*> control_;
};

// A block of its own on every way from a control branch, so that it begins a region.
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

// Blocks where different regions meet, by labels that say which region a block belongs to.
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
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : order) {
      const BasicBlock* now = nullptr;
      if (begins(block)) {
        now = block;
      } else {
        for (const BasicBlock* from : llvm::predecessors(block)) {
          const BasicBlock* other = label.lookup(from);
          if (!other) continue;
          if (now && now != other) {
            now = block;
            break;
          }
          now = other;
        }
        if (label.lookup(block) == block) now = block;
      }
      if (label.lookup(block) != now) {
        label[block] = now;
        changed = true;
      }
    }
  }
  std::vector<BasicBlock*> joins;
  for (BasicBlock* block : order)
    if (label.lookup(block) == block && !begins(block) && !returns_at_once(*block)) joins.push_back(block);
  return joins;
}

}  // namespace

FissionPlan plan_fission(const Kernel& kernel, const Shapes& shapes) { return Planner(kernel, shapes).plan(); }

void apply_fission(const Kernel& kernel, const FissionPlan& plan) {
  for (BasicBlock* block : plan.control) {
    split_edges(block);
    insert_cut(block->getTerminator(), CutKind::control);
  }
  split_behind_cuts(*kernel.function);
  for (BasicBlock* block : find_joins(kernel)) insert_cut(&*block->getFirstInsertionPt(), CutKind::join);
}

}  // namespace trellis::spmd
