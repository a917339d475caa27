// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes the body of a loop over work-items once for a chunk of them: for `lanes` consecutive work-items in dimension
// 0, in one row of the group or in several at once (lane_rows.hpp). A value that follows from the first lane's is one
// scalar per row, any other one vector of all lanes, row by row. Values that are the same in all rows exist once.

#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "spmd/plugin/lane_shapes.hpp"
#include "spmd/plugin/work_item_loop.hpp"

namespace trellis::spmd {

class LaneWriter {
 public:
  LaneWriter(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes, unsigned rows = 1);

  /// The value in each row of a value from outside the loop.
  void know(llvm::Value* value, llvm::ArrayRef<llvm::Value*> in_rows) {
    scalars_[value].assign(in_rows.begin(), in_rows.end());
  }
  /// A loop over the chunks from `start` to `whole`, at least one; control comes from the end of `enter`, which has a
  /// branch to `after`.
  void write(llvm::BasicBlock* enter, llvm::BasicBlock* after, llvm::Value* start, llvm::Value* whole);
  /// The value in one row, after the loop.
  llvm::Value* last_lane(llvm::Value* value);
  llvm::IRBuilder<>& builder() { return builder_; }

 private:
  using Value = llvm::Value;
  using Scalars = llvm::SmallVector<Value*, 2>;

  // Values (lane_values.cpp).
  bool inside(const Value* value) const;
  bool wide(const Value* value) const { return rows_ > 1 && shapes_.of_rows(value); }
  unsigned rows_of(const Value* value) const { return wide(value) ? rows_ : 1; }
  llvm::Type* vector_type(llvm::Type* type, bool wide) const;
  Value* scalar(Value* value, unsigned row = 0) const;
  Value* vector(Value* value, bool wide);
  Value* row_of(Value* vector, unsigned row);
  Value* lanes_of_scalar(Value* value, unsigned row);
  void go_behind(Value* value);
  void write_scalar(llvm::Instruction& one);
  Value* write_vector(llvm::Instruction& one);
  Value* write_call(llvm::CallInst& call);

  // Memory (lane_memory.cpp).
  std::optional<std::int64_t> elements_apart(Value* pointer, llvm::Type* type) const;
  Value* load_lanes(llvm::LoadInst& load);
  Value* load_row(llvm::LoadInst& load, unsigned row, std::int64_t apart, Value* mask);
  Value* step_aside(Value*& pointers, Value* mask, llvm::Type* type);
  void write_store(llvm::StoreInst& store);
  Value* any(Value* mask) { return builder_.CreateOrReduce(mask); }
  Value* dummy(llvm::Type* type);

  // Control (lane_writer.cpp).
  Value* both(Value* a, Value* b) { return !a ? b : !b ? a : builder_.CreateAnd(a, b); }
  Value* mask_of(const llvm::BasicBlock* block) const { return block_masks_.lookup(block); }
  Value* edge_mask(llvm::BasicBlock* from, llvm::BasicBlock* to);
  Value* block_mask(llvm::BasicBlock* block);
  void leave(llvm::BasicBlock* block);
  void write(llvm::Instruction& one);
  void write_phi(llvm::PHINode& phi);
  Value* choose(llvm::PHINode& phi, llvm::function_ref<bool(llvm::BasicBlock*)> wanted,
                llvm::function_ref<Value*(Value*)> written, bool mask);
  Value* arriving(llvm::PHINode& phi, llvm::BasicBlock* from, llvm::function_ref<Value*(Value*)> written, bool mask);
  void complete(llvm::PHINode& phi);

  const WorkItemLoop& loop_;
  const LaneShapes& shapes_;
  const unsigned lanes_, rows_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock *enter_ = nullptr, *after_ = nullptr;
  Value *start_ = nullptr, *whole_ = nullptr, *chunk_ = nullptr;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> copies_;
  llvm::DenseMap<const llvm::BasicBlock*, Value*> block_masks_;
  llvm::DenseMap<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, Value*> edge_masks_;
  llvm::DenseMap<Value*, Scalars> scalars_;
  llvm::DenseMap<Value*, Value*> vectors_;   // for all rows if they differ, else for one
  llvm::DenseMap<Value*, Value*> repeated_;  // one row's vector, repeated for each row
  std::vector<llvm::PHINode*> phis_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> originals_;
};

}  // namespace trellis::spmd
