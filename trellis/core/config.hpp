// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a compiler must be told. TRELLIS_FUNCTION marks functions that kernels call (host and device);
// TRELLIS_INLINE also insists on inlining, which register algebra needs. TRELLIS_DEVICE_COMPILER: it compiles the same
// source for a device as well; TRELLIS_ON_DEVICE: this pass of it is the device's. HIP and SYCL are there for Kokkos'
// backends of these names (kokkos.hpp) and have never met their compilers: there was no such machine to test on.

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
#elif defined(__HIPCC__)
#define TRELLIS_FUNCTION __host__ __device__
#define TRELLIS_INLINE __host__ __device__ inline __attribute__((always_inline))
#define TRELLIS_LAMBDA [=] __host__ __device__
#else
#define TRELLIS_FUNCTION
#define TRELLIS_INLINE inline __attribute__((always_inline))
#define TRELLIS_LAMBDA [=]
#endif
