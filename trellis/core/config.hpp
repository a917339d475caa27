// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a compiler must be told. TRELLIS_FUNCTION marks functions that kernels call (host and device);
// TRELLIS_INLINE also insists on inlining, which register algebra needs.

#if defined(__CUDACC__)
#define TRELLIS_FUNCTION __host__ __device__
#define TRELLIS_INLINE __host__ __device__ __forceinline__
#define TRELLIS_LAMBDA [=] __host__ __device__
#else
#define TRELLIS_FUNCTION
#define TRELLIS_INLINE inline __attribute__((always_inline))
#define TRELLIS_LAMBDA [=]
#endif
