// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What compilers must be told. TRELLIS_FUNCTION marks functions that kernels call (host and device);
// TRELLIS_INLINE also insists on inlining, which register algebra needs. TRELLIS_LAMBDA begins a lambda that any space
// can run, TRELLIS_KERNEL one that only the default space runs: nvcc need not compile it for the host as well.
// TRELLIS_NOINLINE: a long function that kernels call from many places; TRELLIS_HOST_CALL: the same, but inlined on a
// GPU, where a call would force its operands out of registers.
// TRELLIS_DEVICE_COMPILER: the compiler also compiles the same source for a device; TRELLIS_ON_DEVICE: this is its pass
// for the device.
// TRELLIS_SIMD_LOOP, before a loop whose iterations are independent of one another: the compiler vectorises it where it
// can. TRELLIS_INDEPENDENT_LOOP: the same, but the compiler judges whether vectorising is worthwhile.
// TRELLIS_UNROLL, before a short loop whose arrays should stay in a GPU thread's registers; TRELLIS_UNROLL_BY_4, before
// a loop of which a GPU thread should load what several turns need at once. CPU compilers judge for themselves.
// TRELLIS_EITHER_SIDE, before a function that calls a functor passed to it: host functors on the host, and device
// functors on a device. The compiler need not check both.
// backend/compiler.hpp defines them for each compiler.

#include "trellis/core/backend/compiler.hpp"
