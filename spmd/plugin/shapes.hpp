// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shape of a value over the work-items of a group: uniform (the same for all that execute it together), linear
// (a uniform value plus known multiples of the local ids; one at dimension 0 is contiguous) or varying.
// Uniformity is LLVM's analysis (Rosemann, Moll, Hack: An abstract interpretation for SPMD divergence on reducible
// control flow graphs, POPL 2021), told what diverges here; linear shapes are ours (Karrenberg and Hack, CGO 2011).

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <array>
#include <cstdint>
#include <optional>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {

class Shapes {
 public:
  using Strides = std::array<std::int64_t, 3>;  // the increment from one local id to the next, per dimension

  Shapes(const Kernel& kernel, llvm::DominatorTree& dominators);

  bool uniform(const llvm::Value* value) const;
  /// The same for all work-items with the same ids in dimensions 1 and 2, in a group that has these dimensions.
  bool same_in_row(const llvm::Value* value) const;
  /// Branches and switches for which all work-items take the same side.
  bool uniform_branch(const llvm::Instruction& branch) const { return !divergent_branches_.contains(&branch); }
  /// The strides if the value is linear (those of uniform values are 0).
  const Strides* linear(const llvm::Value* value) const;

 private:
  bool find_strides(const llvm::Instruction& instruction, Strides& strides) const;

  llvm::CycleInfo cycles_;
  llvm::TargetTransformInfo target_, row_target_;
  mutable llvm::UniformityInfo uniformity_;
  mutable std::optional<llvm::UniformityInfo> row_uniformity_;
  llvm::DenseMap<const llvm::Value*, Strides> strides_;
  llvm::SmallPtrSet<const llvm::Instruction*, 16> divergent_branches_;  // blocks may be split later
};

}  // namespace trellis::spmd
