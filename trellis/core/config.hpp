// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a compiler must be told. TRELLIS_FUNCTION marks functions that kernels call (host and device);
// TRELLIS_INLINE also insists on inlining, which register algebra needs. TRELLIS_LAMBDA begins a lambda that any space
// runs, TRELLIS_KERNEL one that only the default space does: nvcc need not compile it for the host as well.
// TRELLIS_NOINLINE: a function of kernels that is long and called from many places; TRELLIS_HOST_CALL: one that is in
// line on a GPU all the same, where a call would take what it works on out of registers.
// TRELLIS_DEVICE_COMPILER: it compiles the same source for a device as well; TRELLIS_ON_DEVICE: this pass of it is the
// device's.
// TRELLIS_SIMD_LOOP, before a loop whose iterations are independent of one another: the compiler makes vectors of it
// where it can. TRELLIS_INDEPENDENT_LOOP: the same, where the compiler is to judge whether vectors are worth it.
// TRELLIS_UNROLL, before a loop of few turns whose arrays are to stay in a GPU thread's registers; CPU compilers judge
// for themselves.
// TRELLIS_EITHER_SIDE, before a function that calls a functor given to it: host functors on the host and device
// functors on a device. The compiler need not check both.
// What they are for each compiler is in backend/compiler.hpp.

#include "trellis/core/backend/compiler.hpp"
