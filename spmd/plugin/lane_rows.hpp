// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lanes in several rows of a two- or three-dimensional group at once, as a matrix product needs (register blocking):
// values that are the same in all rows are loaded once, and there are more independent sums than the latency of one
// operation.

#include "spmd/plugin/lane_shapes.hpp"
#include "spmd/plugin/work_item_loop.hpp"

namespace trellis::spmd {

/// A loop over rows with only simple arithmetic around the loop over a row's work-items.
class RowNest {
 public:
  /// Nothing if the loop around `row` has another form.
  static std::optional<RowNest> of(const WorkItemLoop& row);

  /// Values that differ between rows and are used inside the loop over a row.
  const RowValues& of_rows() const { return of_rows_; }
  /// Writes, before the original, a loop over `rows` rows at once, for groups whose rows are a multiple of `lanes`
  /// long. The remaining rows run in the original loop.
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
  std::vector<llvm::Instruction*> used_;  // defined around the inner loop, used in it
  RowValues of_rows_;
};

}  // namespace trellis::spmd
