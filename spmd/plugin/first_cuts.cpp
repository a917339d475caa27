// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/first_cuts.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include "spmd/plugin/regions.hpp"

namespace trellis::spmd {

using llvm::BasicBlock;

FirstCuts::FirstCuts(const Kernel& kernel, const BlockSet& more, bool only_barriers) : more_(more) {
  const llvm::ReversePostOrderTraversal<BasicBlock*> order(kernel.first);
  order_.assign(order.begin(), order.end());
  const auto is_cut = [&](const BasicBlock* block) {
    if (more_.contains(block)) return true;
    if (!Regions::behind_cut(*block)) return false;
    return !only_barriers || cut_kind(*block->getTerminator()->getPrevNonDebugInstruction()) == CutKind::barrier;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      BasicBlock* block = *at;
      Cuts cuts;
      if (is_cut(block)) {
        cuts.insert(block);
      } else if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
        cuts.insert(nullptr);
      } else {
        for (const BasicBlock* next : llvm::successors(block)) {
          const Cuts& these = first_[next];
          cuts.insert(these.begin(), these.end());
        }
      }
      if (cuts == first_[block]) continue;
      first_[block] = std::move(cuts);
      changed = true;
    }
  }
}

std::vector<BasicBlock*> FirstCuts::deciding() const {
  std::vector<BasicBlock*> found;
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    BasicBlock* block = *at;
    if (more_.contains(block) || Regions::behind_cut(*block)) continue;
    const Cuts* one = nullptr;
    for (const BasicBlock* next : llvm::successors(block)) {
      const Cuts& cuts = of(next);
      if (cuts.empty()) continue;  // the program ends there, or never ends
      if (one && *one != cuts) {
        found.push_back(block);
        break;
      }
      one = &cuts;
    }
  }
  return found;
}

}  // namespace trellis::spmd
