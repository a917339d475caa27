// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shapes within one loop over work-items, for its lanes: uniform, linear (the first lane's value plus a multiple of the
// lane number) or varying, and where control diverges. Non-uniform branches are replaced by masks: all blocks between
// such a branch and its immediate post-dominator are masked. Where lanes run in several rows of the group at once
// (lane_rows.hpp), branches must be uniform across these too, or are replaced by masks.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>

#include <optional>
#include <string>

namespace trellis::spmd {

/// Values from outside the loop that differ between rows.
using RowValues = llvm::SmallPtrSet<const llvm::Value*, 16>;

class LaneShapes {
 public:
  /// `rows`: nullptr if there is only one row. `despite_uneven`: only shapes, as they will be once the loop inside
  /// whose turns differ is rewritten (masked_loops.hpp).
  LaneShapes(llvm::Loop& loop, llvm::PHINode& id, llvm::LoopInfo& loops, llvm::PostDominatorTree& post_dominators,
             const RowValues* rows = nullptr, bool despite_uneven = false);

  /// 0: uniform; nothing: varying. For a value in the loop, or from outside.
  std::optional<std::int64_t> stride(const llvm::Value* value) const;
  bool uniform(const llvm::Value* value) const { return stride(value) == std::int64_t(0); }
  /// True if the value differs between rows.
  bool of_rows(const llvm::Value* value) const { return of_rows_.contains(value); }
  bool masked(const llvm::BasicBlock* block) const { return masked_.contains(block); }
  bool divergent_branch(const llvm::BasicBlock* block) const { return divergent_.contains(block); }
  /// The branch, taken by all lanes together, behind which a masked block lies; or the block itself if it ends in one.
  llvm::BasicBlock* opener(llvm::BasicBlock* block) const {
    llvm::BasicBlock* const found = opener_.lookup(block);
    return found ? found : block;
  }
  /// For a masked block or one that ends in a divergent branch: the next masked block, or where all sides meet.
  llvm::BasicBlock* following(llvm::BasicBlock* block) const { return following_.lookup(block); }
  /// Why lanes are impossible; empty if they are possible.
  const std::string& refused() const { return refused_; }
  /// The loop inside whose turns differ between work-items, if that is why; and whether they all enter it.
  llvm::Loop* uneven_loop() const { return uneven_loop_; }
  bool entered_by_all() const { return entered_by_all_; }
  /// The loop's blocks, each before its successors except for back edges.
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
  void refuse_uneven(llvm::Loop* uneven, bool entered_by_all, const char* why);
  void find();
  bool enclose_ways_in();
  void chain();

  llvm::Loop& loop_;
  llvm::PHINode& id_;
  llvm::LoopInfo& loops_;
  llvm::PostDominatorTree& post_dominators_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  const bool in_rows_, despite_uneven_;
  RowValues of_rows_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> masked_, divergent_, joins_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> opener_, following_;
  std::string refused_;
  llvm::Loop* uneven_loop_ = nullptr;
  bool entered_by_all_ = true;
};

}  // namespace trellis::spmd
