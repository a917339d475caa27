// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a compiler must be told. TRELLIS_FUNCTION marks functions that kernels call (host and device);
// TRELLIS_INLINE also insists on inlining, which register algebra needs. TRELLIS_LAMBDA begins a lambda that any space
// runs, TRELLIS_KERNEL one that only the default space does: nvcc need not compile it for the host as well.
// TRELLIS_NOINLINE: a function of kernels that is long and called from many places; TRELLIS_HOST_CALL: one that is in
// line on a GPU all the same, where a call would take what it works on out of registers.
// TRELLIS_DEVICE_COMPILER: it compiles the same source for a device as well; TRELLIS_ON_DEVICE: this pass of it is the
// device's. HIP and SYCL are there for Kokkos' backends of these names (kokkos.hpp) and have never met their compilers:
// there was no such machine to test on.

// Before a loop whose iterations are independent of one another: the compiler makes vectors of it where it can.
#if defined(__CUDACC__)
#define TRELLIS_SIMD_LOOP
#elif defined(__clang__)
#define TRELLIS_SIMD_LOOP _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define TRELLIS_SIMD_LOOP _Pragma("omp simd")
#endif

// The same, where the compiler is to judge whether vectors are worth it.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define TRELLIS_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#else
#define TRELLIS_INDEPENDENT_LOOP
#endif

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(SYCL_LANGUAGE_VERSION)
#define TRELLIS_DEVICE_COMPILER 1
#endif
#if defined(__CUDA_ARCH__) || defined(__SYCL_DEVICE_ONLY__) || \
    (defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__)
#define TRELLIS_ON_DEVICE 1
#endif

#if defined(__CUDACC__)
#define TRELLIS_FUNCTION __host__ __device__
#define TRELLIS_INLINE __host__ __device__ __forceinline__
#define TRELLIS_LAMBDA [=] __host__ __device__
#define TRELLIS_KERNEL [=] __device__
#elif defined(__HIPCC__)
#define TRELLIS_FUNCTION __host__ __device__
#define TRELLIS_INLINE __host__ __device__ inline __attribute__((always_inline))
#define TRELLIS_LAMBDA [=] __host__ __device__
#define TRELLIS_KERNEL [=] __host__ __device__
#else
#define TRELLIS_FUNCTION
#define TRELLIS_INLINE inline __attribute__((always_inline))
#define TRELLIS_LAMBDA [=]
#define TRELLIS_KERNEL [=]
#endif

// Before a loop of few turns whose arrays are to stay in a GPU thread's registers; CPU compilers judge for themselves.
#if defined(__CUDACC__)
#define TRELLIS_UNROLL _Pragma("unroll")
#else
#define TRELLIS_UNROLL
#endif

#if defined(__CUDACC__)
#define TRELLIS_NOINLINE __host__ __device__ __noinline__
#define TRELLIS_HOST_CALL __host__ __device__ __forceinline__
#else
#define TRELLIS_NOINLINE [[gnu::noinline]]
#define TRELLIS_HOST_CALL [[gnu::noinline]]
#endif

// Before a function that calls a functor given to it: host functors on the host and device functors on a device. nvcc
// need not check both.
#if defined(__CUDACC__)
#define TRELLIS_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define TRELLIS_EITHER_SIDE
#endif
