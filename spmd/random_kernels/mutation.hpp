// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that lack a barrier, and are illegal for that: what a compiler makes that loses one. That most of them write
// something else shows how much the random kernels notice.

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

/// Of the kernel's text, those of group algorithms aside.
int count_barriers(const Kernel& kernel);
/// Without the n-th of these.
Kernel without_barrier(Kernel kernel, int n);

}  // namespace trellis::random_kernels
