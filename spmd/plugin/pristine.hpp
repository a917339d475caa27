// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which kernels fission can split must not depend on what LLVM did to them before: it computes values on both sides of
// a branch, threads jumps, and so hides that all work-items go the same way. So a copy of each kernel for fission, with
// everything it calls inlined, is kept as written. The copy decides, and replaces the optimised kernel if that cannot
// be split. At -O0 kernels are such copies themselves.

#include <llvm/IR/Module.h>

namespace trellis::spmd {

/// Before LLVM optimises the module.
void keep_pristine_kernels(llvm::Module& module);
/// The copy of a kernel; nullptr if there is none.
llvm::Function* pristine_of(const llvm::Function& kernel);
bool is_pristine(const llvm::Function& function);
/// In an unoptimised kernel for fission: makes variables live as long as the kernel. Where LLVM knows when they begin
/// to live, at some levels, it takes them for undefined before that, which may be a different value in each work-item.
void forget_lifetimes(llvm::Function& kernel);
/// Gives the kernel the body of its copy.
void take_pristine_body(llvm::Function& kernel, llvm::Function& pristine);
/// After all kernels have been transformed: deletes the copies.
void drop_pristine_kernels(llvm::Module& module);

}  // namespace trellis::spmd
