// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel as the plugin finds it: a function that calls trellis_spmd_begin is the body of one work-item.
// Markers (trellis/core/backend/spmd_markers.hpp):
//   void trellis_spmd_begin(int version, int way, int dimensions, size_t size0, size_t size1, size_t size2)
//   size_t trellis_spmd_local_id(int dimension)
//   void trellis_spmd_barrier()
//   void* trellis_spmd_local_memory(const void* group, const void* key, size_t bytes, size_t alignment)
//   void* trellis_spmd_launch_memory(void* memory)

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace trellis::spmd {

enum class Way { fission = 1, continuations = 2, fission_or_continuations = 3 };

struct Kernel {
  llvm::Function* function = nullptr;
  llvm::CallInst* begin = nullptr;
  Way way = Way::continuations;
  unsigned dimensions = 1;
  llvm::Value* size[3] = {};  // i64, of the group; computed before `begin`

  // Known once the prologue has been split off: what runs once for the group, up to `begin` (prologue.hpp).
  llvm::BasicBlock* first = nullptr;                         // where work-items begin
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> prologue;    // the blocks before it
  llvm::SmallPtrSet<const llvm::Value*, 4> group_variables;  // in memory, written only in the prologue
  bool in_prologue(const llvm::Instruction* one) const { return prologue.contains(one->getParent()); }
};

/// The functions that call begin; with a test, only those whose call passes it.
llvm::SmallSetVector<llvm::Function*, 16> kernels_of(const llvm::Module& module,
                                                     llvm::function_ref<bool(const llvm::CallBase&)> wanted = nullptr);
llvm::Function* local_id_marker(const llvm::Module& module);
bool is_begin(const llvm::Value* value);
bool is_barrier(const llvm::Value* value);
/// A call that returns memory of the group.
bool is_local_memory(const llvm::Value* value);
/// A call that returns its own argument.
bool is_launch_memory(const llvm::Value* value);
/// A call of any marker that only the kernel function itself may contain: begin, barrier, local id.
bool is_marker(const llvm::Value* value);
/// The dimension that a call of trellis_spmd_local_id names; -1: no such call; -2: not a constant.
int local_id_dimension(const llvm::Value* value);

/// Reads the call of begin in `function`; reports an error and returns nothing if it cannot be understood.
std::optional<Kernel> read_kernel(llvm::Function& function);

}  // namespace trellis::spmd
