// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a GPU thread can do beside arithmetic: work with the other threads of its warp, and bypass the caches. A thread
// of a host is alone: in_warp is false, and functions that need a warp are not called.

#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis::backend {

#if defined(__CUDA_ARCH__)
inline constexpr bool in_warp = true;

__device__ __forceinline__ int lane_in_warp() { return int(threadIdx.x % 32); }
// The `value` of another thread of the warp. All threads of the warp must call it.
template <class T>
__device__ __forceinline__ T of_lane(const T& value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}
// Waits for the warp, and makes its threads' writes visible to each other.
__device__ __forceinline__ void wait_for_warp() { __syncwarp(); }
// Memory shared by the threads of a warp, in blocks of at most this many threads.
template <class T, int Count, int Threads>
__device__ T* memory_of_warp() {
  __shared__ T memory[Threads / 32][Count];
  return memory[threadIdx.x / 32];
}
#else
inline constexpr bool in_warp = false;

inline int lane_in_warp() { return 0; }
template <class T>
T of_lane(const T& value, int) {
  return value;
}
inline void wait_for_warp() {}
template <class T, int Count, int Threads>
T* memory_of_warp() {
  return nullptr;
}
#endif

// Stores 8 or 16 bytes that will not be read again soon.
template <class Part>
TRELLIS_INLINE void store_past_caches(Part* to, const Part& part) {
#if defined(__CUDA_ARCH__)
  using Words = std::conditional_t<sizeof(Part) == 16, float4, float2>;
  __stcs(reinterpret_cast<Words*>(to), __builtin_bit_cast(Words, part));
#else
  *to = part;
#endif
}

}  // namespace trellis::backend
