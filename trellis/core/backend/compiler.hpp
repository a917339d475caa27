// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The macros of config.hpp, for each compiler. HIP and SYCL are for Kokkos' backends of these names (kokkos.hpp), and
// have not been tested with their compilers: there was no such machine.

// For Trellis itself:
//   TRELLIS_DEVICE_BACKEND        kernels of this build run on a device
//   TRELLIS_DEVICE_HEADER(name)   the path of a header in the folder of its backend
//   TRELLIS_DEVICE_SOURCE         this source file is compiled for that device as well
//   TRELLIS_DEVICE_PASS           this is the compiler's pass for the device
#if defined(TRELLIS_BACKEND_CUDA)
#define TRELLIS_DEVICE_BACKEND 1
#endif
#if defined(TRELLIS_BACKEND_CUDA) || defined(__CUDACC__)
#define TRELLIS_DEVICE_HEADER(name) <trellis/core/backend/cuda/name>
#endif
#if defined(__CUDACC__)
#define TRELLIS_DEVICE_SOURCE 1
#endif
#if defined(__CUDA_ARCH__)
#define TRELLIS_DEVICE_PASS 1
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

#if defined(__CUDACC__)
#define TRELLIS_NOINLINE __host__ __device__ __noinline__
#define TRELLIS_HOST_CALL __host__ __device__ __forceinline__
#define TRELLIS_UNROLL _Pragma("unroll")
#define TRELLIS_UNROLL_BY_4 _Pragma("unroll 4")
#define TRELLIS_DO_NOT_UNROLL _Pragma("unroll 1")
#define TRELLIS_EITHER_SIDE _Pragma("nv_exec_check_disable")
#define TRELLIS_SIMD_LOOP
#define TRELLIS_INDEPENDENT_LOOP
#else
#define TRELLIS_NOINLINE [[gnu::noinline]]
#define TRELLIS_HOST_CALL [[gnu::noinline]]
#define TRELLIS_UNROLL
#define TRELLIS_UNROLL_BY_4
#define TRELLIS_DO_NOT_UNROLL
#define TRELLIS_EITHER_SIDE
#if defined(__clang__)
#define TRELLIS_SIMD_LOOP _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#define TRELLIS_INDEPENDENT_LOOP
#else
#define TRELLIS_SIMD_LOOP _Pragma("omp simd")
#define TRELLIS_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif
#endif
