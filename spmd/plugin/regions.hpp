// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel cut into regions. A cut is a place that all work-items reach before any continues: a barrier or, in deep
// loop fission, one that the plugin inserted. A region is what a work-item may run from one cut to the next; it becomes
// a loop over the group. Continuation-based synchronisation needs nothing more; in fission the regions do not overlap.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>

#include <vector>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {

enum class CutKind { barrier, join, control };

/// Marks a place before `before` as a cut of fission.
void insert_cut(llvm::Instruction* before, CutKind kind);
/// What kind of cut a call is; nothing if it is not one.
std::optional<CutKind> cut_kind(const llvm::Instruction& instruction);

/// Makes every cut end its block. Call it again after inserting cuts.
void split_behind_cuts(llvm::Function& function);

struct Region {
  llvm::BasicBlock* start = nullptr;
  /// The branch alone, executed once for the group.
  bool control = false;
  std::vector<llvm::BasicBlock*> blocks;
  /// Where it leads: starts of regions, nullptr where the kernel ends.
  llvm::SmallSetVector<llvm::BasicBlock*, 4> exits;
  /// Values from before it that it, or regions after it, use.
  llvm::SmallSetVector<llvm::Instruction*, 16> live;
};

struct Regions {
  std::vector<Region> all;  // the first is the kernel's start
  llvm::DenseMap<llvm::BasicBlock*, unsigned> of_start;
  unsigned barriers = 0;

  /// The start of the region after the cut that the block ends in; nullptr if it does not end in one.
  static llvm::BasicBlock* behind_cut(const llvm::BasicBlock& block);
};

/// The blocks that use a value from before them, or lead to such blocks.
llvm::SmallPtrSet<llvm::BasicBlock*, 16> live_in_blocks(const llvm::Instruction& value);

/// Finds the regions, and what is live at their starts, of a function whose cuts end their blocks.
Regions form_regions(const Kernel& kernel);

}  // namespace trellis::spmd
