// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which kernels fission can split must not depend on what LLVM made of them before: it computes values on both sides of
// a branch, threads jumps, and hides so that all work-items go one way. So a copy of each kernel for fission, with all
// that it calls inlined, is kept as it was written. It decides, and stands in where the optimised kernel cannot be
// split. At -O0 kernels are such copies themselves.

#include <llvm/IR/Module.h>

namespace trellis::spmd {

/// Before LLVM optimises the module.
void keep_pristine_kernels(llvm::Module& module);
/// The copy that was kept of a kernel; nullptr: none.
llvm::Function* pristine_of(const llvm::Function& kernel);
bool is_pristine(const llvm::Function& function);
/// In a kernel for fission that nothing optimised: variables live as long as it does. Where LLVM knows when they begin
/// to live, at some levels, it takes them for undefined before, which may be another value for each work-item.
void forget_lifetimes(llvm::Function& kernel);
/// Gives the kernel the body of its copy.
void take_pristine_body(llvm::Function& kernel, llvm::Function& pristine);
/// After all kernels were transformed: the copies go.
void drop_pristine_kernels(llvm::Module& module);

}  // namespace trellis::spmd
