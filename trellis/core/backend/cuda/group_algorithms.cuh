// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Group algorithms (nd_item.hpp) among the threads of a block, whose warps are the sub-groups. The order of operations
// is that of backend/group_trees.hpp. Included by backend/group_algorithms.hpp, which does the same on a host.

#include <cstring>

#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"

namespace trellis::backend {

template <int D>
__device__ void barrier(const nd_item<D>&, CallSite) {
  __syncthreads();
}

// A T that the threads of a block share, a different one for each Number.
template <class T, int Number, int D>
__device__ T& local_memory(const nd_item<D>&) {
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

// A thread's warp in its block.
struct WarpPlace {
  template <int D>
  __device__ explicit WarpPlace(const nd_item<D>& item)
      : WarpPlace(item.local_linear_id(), item.local_linear_range()) {}
  __device__ WarpPlace(Index id, Index size)
      : warp(id / 32), warps((size + 31) / 32), lanes(size - warp * 32 < 32 ? size - warp * 32 : 32) {}
  Index warp, warps, lanes;
};

template <int D, class T, class Op>
__device__ T reduce(const nd_item<D>& item, const T& x, const Op& op, CallSite) {
  T* const room = block_room<T>();
  const WarpPlace at(item);
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

template <int D, class T, class Op>
__device__ Scanned<T> scan_block(const nd_item<D>& item, const T& x, const Op& op) {
  T* const room = block_room<T>();
  const WarpPlace at(item);
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

template <int D, class T, class Op>
__device__ T inclusive_scan(const nd_item<D>& item, const T& x, const Op& op, CallSite) {
  return scan_block(item, x, op).inclusive;
}
template <int D, class T, class Op>
__device__ T exclusive_scan(const nd_item<D>& item, const T& x, const Op& op, CallSite) {
  const T before = scan_block(item, x, op).exclusive;
  return item.place() > 0 ? before : Op::template identity<T>();
}

template <int D, class T>
__device__ T broadcast(const nd_item<D>& item, const T& x, Index id, CallSite) {
  T* const room = block_room<T>();
  if (item.local_linear_id() == id) room[0] = x;
  __syncthreads();
  const T given = room[0];
  __syncthreads();
  return given;
}

template <int D>
__device__ bool any(const nd_item<D>&, bool condition, CallSite) {
  return __syncthreads_or(condition ? 1 : 0) != 0;
}

// A sub-group is a warp.
template <int D>
__device__ void barrier(const SubGroup<D>& group, CallSite) {
  __syncwarp(warp_mask(group.local_range()));
}
template <int D, class T, class Op>
__device__ T reduce(const SubGroup<D>& group, const T& x, const Op& op, CallSite) {
  return from_lane(join_warp(x, group.local_range(), op), 0, group.local_range());
}
template <int D, class T, class Op>
__device__ T inclusive_scan(const SubGroup<D>& group, const T& x, const Op& op, CallSite) {
  return scan_warp(x, group.local_range(), op);
}
template <int D, class T, class Op>
__device__ T exclusive_scan(const SubGroup<D>& group, const T& x, const Op& op, CallSite) {
  const Index id = group.place();
  const T before = from_lane(scan_warp(x, group.local_range(), op), id > 0 ? id - 1 : 0, group.local_range());
  return id > 0 ? before : Op::template identity<T>();
}
template <int D, class T>
__device__ T broadcast(const SubGroup<D>& group, const T& x, Index id, CallSite) {
  return from_lane(x, id, group.local_range());
}
template <int D>
__device__ bool any(const SubGroup<D>& group, bool condition, CallSite) {
  return __any_sync(warp_mask(group.local_range()), condition ? 1 : 0) != 0;
}

}  // namespace trellis::backend
