// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that lack a barrier and are therefore illegal, as if a compiler had lost it. That most of them give different
// output shows how much the random kernels notice.

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

// The barriers in the kernel's text, not counting those of group algorithms.
int count_barriers(const Kernel& kernel);
// The kernel without the n-th of these.
Kernel without_barrier(Kernel kernel, int n);

}  // namespace trellis::random_kernels
