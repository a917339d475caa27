// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread of a GPU does beside arithmetic: with the other threads of its warp, and past the caches. A thread of a
// host is alone: in_warp is false there, and nobody calls what needs a warp.

#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis::backend {

#if defined(__CUDA_ARCH__)
inline constexpr bool in_warp = true;

__device__ __forceinline__ int lane_in_warp() { return int(threadIdx.x % 32); }
// What `value` is in another thread of the warp. All of them call it.
template <class T>
__device__ __forceinline__ T of_lane(const T& value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}
// Waits for the warp, and shows its threads what the others wrote.
__device__ __forceinline__ void wait_for_warp() { __syncwarp(); }
// Memory that the threads of a warp share, in blocks of at most this many threads.
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

// Loads 4, 8 or 16 bytes that nobody reads again soon.
template <class Part>
TRELLIS_INLINE Part load_past_caches(const Part* from) {
#if defined(__CUDA_ARCH__)
  using Words = std::conditional_t<sizeof(Part) == 16, uint4, std::conditional_t<sizeof(Part) == 8, uint2, unsigned>>;
  return __builtin_bit_cast(Part, __ldcs(reinterpret_cast<const Words*>(from)));
#else
  return *from;
#endif
}

// Stores 8 or 16 bytes that nobody reads again soon.
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
