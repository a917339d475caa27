// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// nd_range on a GPU: a group is a block, its local memory the block's shared memory. Source files that launch kernels
// are compiled as CUDA; others may include this header.

#include "trellis/core/kernel.hpp"
#include "trellis/core/spaces.hpp"
#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/nd_item.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"
#endif

namespace trellis::backend {

#if defined(__CUDACC__)

template <int D, class F>
__global__ void __launch_bounds__(static_cast<int>(largest_group)) group_kernel(const F f) {
  extern __shared__ __align__(64) unsigned char trellis_shared_of_groups[];
  WorkGroup ids{};
  const unsigned group[3] = {blockIdx.x, blockIdx.y, blockIdx.z}, groups[3] = {gridDim.x, gridDim.y, gridDim.z},
                 local[3] = {blockDim.x, blockDim.y, blockDim.z};
  for (int d = 0; d < 3; ++d) {
    ids.group_id[d] = group[d];
    ids.group_range[d] = groups[d];
    ids.local_range[d] = local[d];
  }
  ids.local_memory = reinterpret_cast<std::byte*>(trellis_shared_of_groups);
  f(nd_item<D>(ids, nullptr, nullptr, nullptr, threadIdx.x, threadIdx.y, threadIdx.z));
}

template <class Range, class F>
void run_device_groups(const Kernel& kernel, const Range& range, const F& f) {
  constexpr int D = Range::dimensions;
  DispatchTimer timer(kernel, range.space());
  if (!timer.runs()) return;
  CUstream_st* const stream = cuda_stream(range.space());
  // Memory used by item.local<T>() and group algorithms.
  static const std::size_t fixed = [] {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, group_kernel<D, F>) == cudaSuccess ? attributes.sharedSizeBytes : 0;
  }();
  if (fixed + range.local_bytes() > largest_cuda_local) {
    fail("kernel '{}': {} bytes of local memory a group beside {} of its own; {} has {}", kernel.name,
         range.local_bytes(), fixed, range.space().name, largest_cuda_local);
  }
  unsigned groups[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  for (int d = 0; d < D; ++d) {
    groups[d] = static_cast<unsigned>(range.group_range(d));
    local[d] = static_cast<unsigned>(range.local_range(d));
  }
  group_kernel<D>
      <<<dim3(groups[0], groups[1], groups[2]), dim3(local[0], local[1], local[2]), range.local_bytes(), stream>>>(f);
  cuda_check_launch(kernel.name);
  timer.given();
}

#else

template <class F>
inline constexpr bool groups_compiled_as_cuda = false;

template <class Range, class F>
void run_device_groups(const Kernel&, const Range&, const F&) {
  static_assert(groups_compiled_as_cuda<F>, "a kernel for Cuda in a source file that is not compiled as CUDA");
}

#endif

}  // namespace trellis::backend
