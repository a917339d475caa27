// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which cuts may come first from each block on, and which branches decide it.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <set>
#include <vector>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {

/// Cuts by the block that ends in them; nullptr is the end of the kernel.
using Cuts = std::set<const llvm::BasicBlock*>;
using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;

class FirstCuts {
 public:
  /// `more`: blocks whose branches are cuts too. `only_barriers`: other cuts than barriers are passed.
  FirstCuts(const Kernel& kernel, const BlockSet& more, bool only_barriers = false);
  const Cuts& of(const llvm::BasicBlock* block) const { return first_.find(block)->second; }
  /// Branches, the last first, whose sides lead to different cuts.
  std::vector<llvm::BasicBlock*> deciding() const;
  /// The kernel's blocks in reverse post-order.
  const std::vector<llvm::BasicBlock*>& order() const { return order_; }

 private:
  std::vector<llvm::BasicBlock*> order_;
  const BlockSet& more_;
  llvm::DenseMap<const llvm::BasicBlock*, Cuts> first_;
};

}  // namespace trellis::spmd
