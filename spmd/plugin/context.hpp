// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where values that live across cuts are stored. Uniform ones have one slot for the group; values made from these and
// from local ids by a few cheap operations are rebuilt; linear ones are rebuilt from the uniform base, which has the
// slot; those that are the same for all work-items of a row (dimension 0) are kept once per row; all others are
// replicated in arrays of the group's size, 64-byte aligned, in one block on the stack or, if that is large, in the
// thread's arena. The same goes for variables in memory (allocas) that live across cuts. To measure what this is worth,
// values can be kept as if the analysis of uniform values, or that of contiguous ones, did not exist (report.hpp).

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

#include <string>

#include "spmd/plugin/kernel.hpp"
#include "spmd/plugin/regions.hpp"
#include "spmd/plugin/shapes.hpp"

namespace trellis::spmd {

enum class Kept { uniform, rebuilt, linear, row, replicated, replicated_variable };

struct Place {
  Kept kept = Kept::uniform;
  llvm::AllocaInst* slot = nullptr;  // uniform; if linear: for the base
  llvm::Value* array = nullptr;      // replicated, or one element per row
  Shapes::Strides strides = {};      // linear
};

class Context {
 public:
  /// Decides on all values and variables, and makes slots and arrays in the prologue.
  Context(const Kernel& kernel, const Shapes& shapes, Regions& regions);

  /// nullptr if the value never crosses a cut.
  const Place* place(const llvm::Instruction* value) const;
  /// What must be stored before a region begins: its live values, with those that are rebuilt replaced by their
  /// operands.
  const llvm::SmallSetVector<llvm::Instruction*, 16>& stored(const Region& region) const;
  /// The bytes of a replicated value or variable per work-item.
  static std::uint64_t bytes(const llvm::Instruction& value);
  /// i1 is kept as a byte, so that vectors of it can be loaded.
  static llvm::Type* kept_type(llvm::Type* type);
  const std::vector<llvm::AllocaInst*>& slots() const { return slots_; }

 private:
  void leaves(llvm::Instruction* value, llvm::SmallSetVector<llvm::Instruction*, 16>& found) const;
  void classify(llvm::Instruction* value);
  void find_variables();
  void allocate();

  const Kernel& kernel_;
  const Shapes& shapes_;
  Regions& regions_;
  llvm::MapVector<llvm::Instruction*, Place> places_;
  std::vector<llvm::SmallSetVector<llvm::Instruction*, 16>> stored_;
  std::vector<llvm::AllocaInst*> slots_;
};

}  // namespace trellis::spmd
