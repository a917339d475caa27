// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lanes of several rows of a group of two or three dimensions at once, as a matrix product wants them (blocks of
// registers): what is the same in all rows is loaded once, and there are more independent sums than the latency of one
// operation is long.

#include "spmd/plugin/lane_shapes.hpp"
#include "spmd/plugin/work_item_loop.hpp"

namespace trellis::spmd {

/// A loop over rows with nothing but simple arithmetic around the loop over the work-items of a row.
class RowNest {
 public:
  /// Nothing where the loop around `row` is none.
  static std::optional<RowNest> of(const WorkItemLoop& row);

  /// What differs between rows and is used inside of the loop over a row.
  const RowValues& of_rows() const { return of_rows_; }
  /// Writes, before all that there is of it, the loop over `rows` rows at once, for groups whose rows are a multiple of
  /// `lanes` long. Rows that are left take the way that there was.
  void write(const LaneShapes& shapes, unsigned lanes, unsigned rows);

 private:
  explicit RowNest(const WorkItemLoop& row) : row_(row) {}
  bool read();
  bool can_copy(const llvm::Instruction& one) const;
  llvm::Value* in_row(llvm::Value* value, unsigned row, std::vector<llvm::DenseMap<llvm::Value*, llvm::Value*>>& known,
                      llvm::IRBuilderBase& builder) const;

  struct Induction {
    llvm::PHINode* phi;
    llvm::Value* step;
  };
  WorkItemLoop row_, outer_;
  std::vector<Induction> inductions_;
  std::vector<llvm::Instruction*> used_;  // from around the inner loop, in it
  RowValues of_rows_;
};

}  // namespace trellis::spmd
