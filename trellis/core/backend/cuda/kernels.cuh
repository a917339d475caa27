// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels behind backend/cuda/parallel.hpp. A unit is one index of a policy; for a tiled range, one place in a
// tile, tile after tile, so that a block works within one or few tiles; places outside the range are skipped.

#include "trellis/core/backend/cuda/reduction.hpp"
#include "trellis/core/backend/lanes.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/reducers.hpp"

namespace trellis::backend {

inline constexpr int cuda_threads = 256;  // per block

// The number of threads whose values fit into the 48 KiB of shared memory that every block may use, of which the
// kernels need a little for themselves.
inline constexpr std::size_t cuda_shared = 48 * 1024 - 64;
template <class T>
inline constexpr int threads_for = sizeof(T) * 256 <= cuda_shared  ? 256
                                   : sizeof(T) * 64 <= cuda_shared ? 64
                                                                   : 32;

template <class Exec, class... P>
TRELLIS_FUNCTION Index cuda_units(const RangePolicy<Exec, P...>& policy) {
  return policy.work();
}
template <class Exec, class R, class... P>
TRELLIS_FUNCTION Index cuda_units(const MDRangePolicy<Exec, R, P...>& policy) {
  return policy.work() * policy.tile_size();
}

template <class Exec, class... P, class F>
__device__ void visit(const RangePolicy<Exec, P...>& policy, Index unit, const F& f) {
  f(policy.begin() + unit);
}
template <class F, int... K>
__device__ void call_at(const F& f, const Index* at, std::integer_sequence<int, K...>) {
  f(at[K]...);
}
template <class Exec, class R, class... P, class F>
__device__ void visit(const MDRangePolicy<Exec, R, P...>& policy, Index unit, const F& f) {
  constexpr int rank = R::value;
  const Index tile_size = policy.tile_size();
  Index low[rank], high[rank], at[rank];
  policy.bounds(unit / tile_size, low, high);
  auto place = static_cast<unsigned>(unit % tile_size);
  bool inside = true;
  for (int k = rank - 1; k >= 0; --k) {
    const int r = policy.dimension(k);
    const auto length = static_cast<unsigned>(policy.tile(r));
    at[r] = low[r] + place % length;
    place /= length;
    inside = inside && at[r] < high[r];
  }
  if (inside) call_at(f, at, std::make_integer_sequence<int, rank>());
}

// The bounds of a policy's parallel_for: its own (LaunchBounds), or `otherwise` threads.
template <class Policy>
constexpr int bound_threads(int otherwise) {
  return Policy::launch_bounds::threads > 0 ? Policy::launch_bounds::threads : otherwise;
}
template <class Policy>
inline constexpr int bound_blocks = Policy::launch_bounds::blocks;

template <class Policy, class F>
__global__ void __launch_bounds__(bound_threads<Policy>(cuda_threads), bound_blocks<Policy>)
    for_kernel(const Policy policy, const F f) {
  const Index unit = static_cast<Index>(blockIdx.x) * bound_threads<Policy>(cuda_threads) + threadIdx.x;
  if (unit < cuda_units(policy)) visit(policy, unit, f);
}

// For a range of two or three dimensions: a block is a tile, and the grid is that of the tiles. No division.
template <class Policy, class F>
__global__ void __launch_bounds__(bound_threads<Policy>(1024), bound_blocks<Policy>)
    tile_kernel(const Policy policy, const F f) {
  constexpr int rank = Policy::rank;
  const unsigned thread[3] = {threadIdx.x, threadIdx.y, threadIdx.z};
  const unsigned block[3] = {blockIdx.x, blockIdx.y, blockIdx.z};
  Index at[rank];
  bool inside = true;
  for (int k = 0; k < rank; ++k) {
    const int r = policy.dimension(rank - 1 - k);
    at[r] = policy.begin(r) + block[k] * policy.tile(r) + thread[k];
    inside = inside && at[r] < policy.end(r);
  }
  if (inside) call_at(f, at, std::make_integer_sequence<int, rank>());
}

// Whether that kernel can run this policy: tiles must have at least a warp of indices, and grid and blocks must be
// within CUDA's limits and the policy's own.
template <class Exec, class R, class... P>
bool has_tile_grid(const MDRangePolicy<Exec, R, P...>& policy, dim3& blocks, dim3& threads) {
  if constexpr (R::value > 3) {
    return false;
  } else {
    Index tiles[3] = {1, 1, 1}, lengths[3] = {1, 1, 1};
    for (int k = 0; k < R::value; ++k) {
      const int r = policy.dimension(R::value - 1 - k);
      tiles[k] = policy.tiles(r);
      lengths[k] = policy.tile(r);
    }
    blocks = dim3(static_cast<unsigned>(tiles[0]), static_cast<unsigned>(tiles[1]), static_cast<unsigned>(tiles[2]));
    threads =
        dim3(static_cast<unsigned>(lengths[0]), static_cast<unsigned>(lengths[1]), static_cast<unsigned>(lengths[2]));
    return policy.tile_size() >= 32 && policy.tile_size() <= bound_threads<MDRangePolicy<Exec, R, P...>>(1024) &&
           lengths[2] <= 64 && tiles[0] < (Index{1} << 31) && tiles[1] < 65536 && tiles[2] < 65536;
  }
}

// Storage for one value per thread. T need not have a trivial constructor.
template <class T, int Threads>
__device__ T* block_values() {
  __shared__ alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char bytes[sizeof(T) * Threads];
  return reinterpret_cast<T*>(bytes);
}

// Joins all values into values[0], in a tree. All threads must have written theirs and met at a barrier.
template <int Threads, class T, class R>
__device__ void join_block(T* values, const R& reducer) {
  const int t = static_cast<int>(threadIdx.x);
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (t < half) reducer.join(values[t], values[t + half]);
    if (half > 32) {
      __syncthreads();
    } else {
      __syncwarp();  // from here on the first warp reads its own values
    }
  }
}

// True in the block that gets here last, which can then read what all the others wrote before. A block's threads are in
// one dimension.
inline __device__ bool is_last_block(unsigned* count) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned others = gridDim.x * gridDim.y - 1;
    __threadfence();
    last = atomicInc(count, others) == others;  // also resets it to 0
    __threadfence();
  }
  __syncthreads();
  return last;
}

// Copies the result to the host. All threads that wrote to it have met at a barrier.
template <class T>
__device__ void say_done(const CudaJoin<T>& to) {
  __threadfence_system();
  *static_cast<volatile unsigned*>(to.done) = to.ticket;
}

// In sums of numbers over consecutive indices no load depends on a previous one: taking four indices at a time keeps
// the memory busy.
template <class Policy, class R>
inline constexpr int units_at_once = 1;
template <class Exec, class... P, class R>
  requires has_lanes<R>
inline constexpr int units_at_once<RangePolicy<Exec, P...>, R> = 4;

// The last block joins the results of all blocks: thread t those of blocks t, t + Threads, ..., then threads in a tree.
template <int Threads, class Policy, class F, class R>
__global__ void __launch_bounds__(Threads)
    reduce_kernel(const Policy policy, const F f, const R reducer, const CudaJoin<typename R::value_type> to) {
  using T = typename R::value_type;
  T sum = reducer.identity();
  const auto add = [&](auto... i) { f(i..., sum); };
  const Index units = cuda_units(policy);
  const Index stride = static_cast<Index>(gridDim.x) * Threads;
  Index unit = static_cast<Index>(blockIdx.x) * Threads + threadIdx.x;
  constexpr int at_once = units_at_once<Policy, R>;
  if constexpr (at_once > 1) {
    for (; unit + (at_once - 1) * stride < units; unit += at_once * stride) {
#pragma unroll
      for (int k = 0; k < at_once; ++k) visit(policy, unit + k * stride, add);
    }
  }
  for (; unit < units; unit += stride) visit(policy, unit, add);

  T* const values = block_values<T, Threads>();
  const unsigned t = threadIdx.x;
  values[t] = sum;
  __syncthreads();
  join_block<Threads>(values, reducer);
  if (t == 0) to.partial[blockIdx.x] = values[0];
  if (!is_last_block(to.count)) return;

  T of_blocks = reducer.identity();
  unsigned block = t;
  for (; block + 3 * Threads < gridDim.x; block += 4 * Threads) {  // four loads at a time
#pragma unroll
    for (int k = 0; k < 4; ++k) reducer.join(of_blocks, to.partial[block + k * Threads]);
  }
  for (; block < gridDim.x; block += Threads) reducer.join(of_blocks, to.partial[block]);
  values[t] = of_blocks;
  __syncthreads();
  join_block<Threads>(values, reducer);
  if (t == 0) {
    *to.result = values[0];
    say_done(to);
  }
}

// The same for `length` results per block: every thread has `length` values in shared memory.
template <class Policy, class F, class R>
__global__ void reduce_array_kernel(const Policy policy, const F f, const R reducer, const Index length,
                                    const CudaJoin<typename R::value_type> to) {
  using T = typename R::value_type;
  extern __shared__ unsigned char trellis_shared[];
  T* const values = reinterpret_cast<T*>(trellis_shared);
  const int t = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  T* const mine = values + t * length;
  for (Index k = 0; k < length; ++k) mine[k] = reducer.identity();
  const auto add = [&](auto... i) { f(i..., mine); };
  const Index units = cuda_units(policy);
  const Index stride = static_cast<Index>(gridDim.x) * threads;
  for (Index unit = static_cast<Index>(blockIdx.x) * threads + t; unit < units; unit += stride) {
    visit(policy, unit, add);
  }
  // Joins everything into the first `length` values.
  const auto join_all = [&] {
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
      for (Index n = t; n < half * length; n += threads) reducer.join(values[n], values[n + half * length]);
      __syncthreads();
    }
  };
  join_all();
  for (Index k = t; k < length; k += threads) to.partial[blockIdx.x * length + k] = values[k];
  if (!is_last_block(to.count)) return;

  for (Index n = t; n < threads * length; n += threads) {
    const Index k = n % length;
    T sum = reducer.identity();
#pragma unroll 4
    for (Index block = n / length; block < gridDim.x; block += threads)
      reducer.join(sum, to.partial[block * length + k]);
    values[n] = sum;
  }
  join_all();
  for (Index k = t; k < length; k += threads) to.result[k] = values[k];
  __threadfence_system();
  __syncthreads();
  if (t == 0) say_done(to);
}

// values[t] becomes the join of values[0] ... values[t]. All threads must have met after writing theirs, and meet
// again.
template <int Threads, class T, class R>
__device__ void scan_block(T* values, const R& reducer) {
  const int t = static_cast<int>(threadIdx.x);
  for (int distance = 1; distance < Threads; distance *= 2) {
    T sum = t >= distance ? values[t - distance] : reducer.identity();
    __syncthreads();
    if (t >= distance) {
      reducer.join(sum, values[t]);
      values[t] = sum;
    }
    __syncthreads();
  }
}

// Block b takes the b-th part of the range, Threads indices at a time. In a first pass to.partial[b] becomes the sum of
// the part, and the last block turns it into the sum before the part; if `final`, f is called with the sum before each
// index.
template <int Threads, class Policy, class F, class R>
__global__ void __launch_bounds__(Threads) scan_kernel(const Policy policy, const F f, const R reducer,
                                                       const CudaJoin<typename R::value_type> to, const bool final) {
  using T = typename R::value_type;
  T* const values = block_values<T, Threads>();
  const int t = static_cast<int>(threadIdx.x);
  const Index share = (policy.work() + gridDim.x - 1) / gridDim.x;
  const Index first = policy.begin() + share * blockIdx.x;
  const Index last = first + share < policy.end() ? first + share : policy.end();

  T before = final ? to.partial[blockIdx.x] : reducer.identity();
  for (Index start = first; start < last; start += Threads) {
    const Index i = start + t;
    T own = reducer.identity();
    if (i < last) f(i, own, false);
    values[t] = own;
    __syncthreads();
    scan_block<Threads>(values, reducer);
    if (final && i < last) {
      T sum = before;
      if (t > 0) reducer.join(sum, values[t - 1]);
      f(i, sum, true);
    }
    reducer.join(before, values[Threads - 1]);
    __syncthreads();
  }
  if (final) return;
  if (t == 0) to.partial[blockIdx.x] = before;
  if (!is_last_block(to.count)) return;

  before = reducer.identity();
  for (unsigned start = 0; start < gridDim.x; start += Threads) {
    const unsigned block = start + t;
    values[t] = block < gridDim.x ? to.partial[block] : reducer.identity();
    __syncthreads();
    scan_block<Threads>(values, reducer);
    if (block < gridDim.x) {
      T sum = before;
      if (t > 0) reducer.join(sum, values[t - 1]);
      to.partial[block] = sum;
    }
    reducer.join(before, values[Threads - 1]);
    __syncthreads();
  }
  if (t == 0) {
    *to.result = before;
    say_done(to);
  }
}

}  // namespace trellis::backend
