// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Group algorithms (nd_item.hpp) among the threads of a block, whose warps are the sub-groups. The order of operations
// is that of backend/group_trees.hpp. Included by nd_item.hpp.

#include <cstring>

#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"

namespace trellis::backend {

// A T that the threads of a block share, a different one for each Number.
template <class T, int Number>
__device__ T& block_shared() {
  __shared__ alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char bytes[sizeof(T)];
  return *reinterpret_cast<T*>(bytes);
}

// Room for values of warps: two for each. The first 32 may be written at the start of an algorithm: the previous one
// finished reading them before its last barrier. The others are written between two barriers and read after the second.
template <class T>
__device__ T* block_room() {
  __shared__ alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char bytes[2 * sub_group_size * sizeof(T)];
  return reinterpret_cast<T*>(bytes);
}

inline __device__ int block_lane() {
  return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}
inline __device__ unsigned warp_mask(Index lanes) { return lanes >= 32 ? 0xffffffffU : (1U << lanes) - 1; }

// The value of another lane of a warp that has `lanes` of them; any value, if there is no such lane.
template <class T>
__device__ T from_lane(const T& value, Index lane, Index lanes) {
  static_assert(std::is_trivially_copyable_v<T>, "values of group algorithms are trivially copyable");
  constexpr int words = (sizeof(T) + 3) / 4;
  int held[words] = {};
  memcpy(held, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) held[w] = __shfl_sync(warp_mask(lanes), held[w], static_cast<int>(lane));
  T result = value;
  memcpy(&result, held, sizeof(T));
  return result;
}

// The sum of the first `count` lanes of a warp, in the first lane.
template <class T, class Op>
__device__ T join_lanes(const T& x, Index count, Index lanes, const Op& op) {
  const int lane = block_lane();
  T sum = x;
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const T other = from_lane(sum, lane + half < lanes ? lane + half : lane, lanes);
    if (lane < half && lane + half < count) sum = op(sum, other);
  }
  return sum;
}
template <class T, class Op>
__device__ T join_warp(const T& x, Index lanes, const Op& op) {
  return join_lanes(x, lanes, lanes, op);
}

template <class T, class Op>
__device__ T scan_warp(const T& x, Index lanes, const Op& op) {
  const int lane = block_lane();
  T sum = x;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const T other = from_lane(sum, lane >= distance ? lane - distance : lane, lanes);
    if (lane >= distance) sum = op(other, sum);
  }
  return sum;
}

// The place of the thread with this id in a block of `size`, in terms of warps.
struct WarpPlace {
  __device__ WarpPlace(Index id, Index size)
      : warp(id / 32), warps((size + 31) / 32), lanes(size - warp * 32 < 32 ? size - warp * 32 : 32) {}
  Index warp, warps, lanes;
};

template <class T, class Op>
__device__ T reduce_block(const T& x, Index id, Index size, const Op& op) {
  T* const room = block_room<T>();
  const WarpPlace at(id, size);
  const int lane = block_lane();
  const T sum = join_warp(x, at.lanes, op);
  if (lane == 0) room[at.warp] = sum;
  __syncthreads();
  if (at.warp == 0) {
    const T total = join_lanes(lane < at.warps ? room[lane] : x, at.warps, at.lanes, op);
    if (lane == 0) room[32] = total;
  }
  __syncthreads();
  return room[32];
}

template <class T>
struct Scanned {
  T inclusive, exclusive;  // the first thread's `exclusive` is undefined
};

template <class T, class Op>
__device__ Scanned<T> scan_block(const T& x, Index id, Index size, const Op& op) {
  T* const room = block_room<T>();
  const WarpPlace at(id, size);
  const int lane = block_lane();
  const T own = scan_warp(x, at.lanes, op);
  T before = from_lane(own, lane > 0 ? lane - 1 : 0, at.lanes);
  if (lane + 1 == at.lanes) room[at.warp] = own;
  __syncthreads();
  if (lane == 0 && at.warp > 0) before = room[at.warp - 1];
  if (at.warp == 0) {
    const T sums = scan_warp(lane < at.warps ? room[lane] : x, at.lanes, op);
    if (lane < at.warps) room[32 + lane] = sums;
  }
  __syncthreads();
  // `before` is the sum of the warp up to the thread before this one, which may be in the previous warp.
  const Index others = lane == 0 ? at.warp - 1 : at.warp;
  return {at.warp > 0 ? op(room[32 + at.warp - 1], own) : own, others > 0 ? op(room[32 + others - 1], before) : before};
}

template <class T>
__device__ T broadcast_block(const T& x, bool mine) {
  T* const room = block_room<T>();
  if (mine) room[0] = x;
  __syncthreads();
  const T given = room[0];
  __syncthreads();
  return given;
}

}  // namespace trellis::backend
