// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which cuts may come first after each block, and which branches decide it.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <set>
#include <vector>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {

/// Cuts are named by the block that ends in them; nullptr is the end of the kernel.
using Cuts = std::set<const llvm::BasicBlock*>;
using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;

class FirstCuts {
 public:
  /// `more`: blocks whose branches are cuts too. `only_barriers`: ignores all cuts except barriers.
  FirstCuts(const Kernel& kernel, const BlockSet& more, bool only_barriers = false);
  const Cuts& of(const llvm::BasicBlock* block) const { return first_.find(block)->second; }
  /// Branches whose sides lead to different cuts, the last one first.
  std::vector<llvm::BasicBlock*> deciding() const;
  /// The kernel's blocks in reverse post-order.
  const std::vector<llvm::BasicBlock*>& order() const { return order_; }

 private:
  std::vector<llvm::BasicBlock*> order_;
  const BlockSet& more_;
  llvm::DenseMap<const llvm::BasicBlock*, Cuts> first_;
};

}  // namespace trellis::spmd
