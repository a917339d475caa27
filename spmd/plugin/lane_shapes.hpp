// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shapes within one loop over work-items, for its lanes: uniform, linear (a multiple of the lane more than the first
// lane's) or varying, and where control diverges. Branches on what is not uniform are taken apart by masks: all blocks
// between such a branch and its immediate post-dominator are masked. Where lanes run in several rows of the group at
// once (lane_rows.hpp), branches must be the same for these too, or masks take them apart.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>

#include <optional>
#include <string>

namespace trellis::spmd {

/// Values from outside of the loop that differ between rows.
using RowValues = llvm::SmallPtrSet<const llvm::Value*, 16>;

class LaneShapes {
 public:
  /// `rows`: nullptr where there is one row.
  LaneShapes(llvm::Loop& loop, llvm::PHINode& id, llvm::LoopInfo& loops, llvm::PostDominatorTree& post_dominators,
             const RowValues* rows = nullptr);

  /// 0: uniform; nothing: varying. Of a value of the loop, or from outside.
  std::optional<std::int64_t> stride(const llvm::Value* value) const;
  bool uniform(const llvm::Value* value) const { return stride(value) == std::int64_t(0); }
  /// Differs between rows.
  bool of_rows(const llvm::Value* value) const { return of_rows_.contains(value); }
  bool masked(const llvm::BasicBlock* block) const { return masked_.contains(block); }
  bool divergent_branch(const llvm::BasicBlock* block) const { return divergent_.contains(block); }
  /// The branch, of all lanes together, behind which a masked block lies; or the block itself where it ends in one.
  llvm::BasicBlock* opener(llvm::BasicBlock* block) const {
    llvm::BasicBlock* const found = opener_.lookup(block);
    return found ? found : block;
  }
  /// Of a masked block or of one that ends in a divergent branch: the next masked block, or where all sides meet.
  llvm::BasicBlock* following(llvm::BasicBlock* block) const { return following_.lookup(block); }
  /// Why lanes cannot be made; empty: they can.
  const std::string& refused() const { return refused_; }
  /// The loop's blocks, each before those that follow it but for ways back.
  const std::vector<llvm::BasicBlock*>& order() const { return order_; }

 private:
  enum class Known { not_yet, linear, varying };
  struct Shape {
    Known known = Known::not_yet;
    std::int64_t stride = 0;
  };
  Shape shape(const llvm::Value* value) const;
  Shape compute(const llvm::Instruction& one) const;
  Shape compute_phi(const llvm::PHINode& phi) const;
  bool becomes_of_rows(const llvm::Instruction& one) const;
  void diverge(const llvm::BasicBlock* block);
  void find();
  bool enclose_ways_in();
  void chain();

  llvm::Loop& loop_;
  llvm::PHINode& id_;
  llvm::LoopInfo& loops_;
  llvm::PostDominatorTree& post_dominators_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  const bool in_rows_;
  RowValues of_rows_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> masked_, divergent_, joins_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> opener_, following_;
  std::string refused_;
};

}  // namespace trellis::spmd
