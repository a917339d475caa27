// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels behind TilePolicy<Cuda>: a thread a lane, tile after tile; a row of blocks a vector.
//
// Exact sums: a thread keeps an accumulator over its tiles, the blocks of a grid that fills the device once take turns.
// Bins are multiples of one unit, so that adding them is exact in any order: first over warps by shuffles, then over
// warps of a block, then, by the block that finishes last, over blocks. The totals go to memory that the host reads.

#include <span>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/sum_scratch.hpp"
#include "trellis/core/exact_sum.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

inline constexpr int tile_threads = 128;  // in a block

template <class F>
__global__ void __launch_bounds__(tile_threads) tile_kernel(const F f, const unsigned threads, const int lanes_shift) {
  const unsigned n = blockIdx.x * tile_threads + threadIdx.x;
  if (n >= threads) return;
  if constexpr (std::is_invocable_v<F, int, int>)
    f(static_cast<int>(n >> lanes_shift), static_cast<int>(blockIdx.y));
  else
    f(static_cast<int>(n >> lanes_shift));
}

// The threads of a launch; more than 2^32 would be 2^32 sites.
unsigned tile_threads_of(const char* name, int tiles, int lanes);

template <class F>
void run_tiles(const char* name, const TilePolicy<Cuda>& policy, const F& f) {
  const unsigned threads = tile_threads_of(name, policy.tiles(), policy.lanes());
  const dim3 blocks((threads - 1) / tile_threads + 1, policy.vectors() == 0 ? 1 : unsigned(policy.vectors()));
  tile_kernel<<<blocks, tile_threads, 0, policy.space().stream>>>(f, threads,
                                                                  __builtin_ctz(unsigned(policy.lanes())));
  cuda_check_launch(name);
}

// What a block knows of a sum.
struct BinSum {
  int top;
  bool finite;
  double bin[exact_sum_detail::bins];
};

// Of the lanes of a warp, in all of them. Bins of lower tops move down, as ExactSum::add moves them.
__device__ inline void join_in_warp(BinSum& sum) {
  constexpr unsigned everyone = 0xffffffffu;
  const int top = __reduce_max_sync(everyone, sum.top);
  for (; sum.top < top; ++sum.top) {
    sum.bin[2] = sum.bin[1];
    sum.bin[1] = sum.bin[0];
    sum.bin[0] = 0;
  }
  sum.finite = __all_sync(everyone, sum.finite);
  for (double& bin : sum.bin)
    for (int distance = 16; distance > 0; distance /= 2) bin += __shfl_xor_sync(everyone, bin, distance);
}

// Of all threads of a block; thread 0 holds it. `room`: one for each warp. `S` is a lane type whose lanes are threads.
template <class S>
__device__ BinSum join_in_block(const ExactAccumulator<S>& own, BinSum* room) {
  BinSum sum = own.bins();
  join_in_warp(sum);
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  __syncthreads();
  if (lane == 0) room[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < tile_threads / 32 ? room[lane] : BinSum{exact_sum_detail::lowest_top, true, {0, 0, 0}};
    join_in_warp(sum);
  }
  return sum;
}

// The last block to come here joins `count` sums of each of gridDim.x blocks, [sum][block], into totals.
__device__ inline void join_blocks(const SumScratch& scratch, int count) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicInc(scratch.finished, gridDim.x * gridDim.y - 1) == gridDim.x * gridDim.y - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  for (int k = warp; k < count; k += tile_threads / 32) {
    ExactSum sum;
    for (unsigned b = unsigned(lane); b < gridDim.x; b += 32) sum.add(scratch.partial[unsigned(k) * gridDim.x + b]);
    for (int distance = 16; distance > 0; distance /= 2) {
      ExactSum other;
      const auto* from = reinterpret_cast<const int*>(&sum);
      auto* to = reinterpret_cast<int*>(&other);
      for (unsigned w = 0; w < sizeof(ExactSum) / sizeof(int); ++w)
        to[w] = __shfl_xor_sync(0xffffffffu, from[w], distance);
      sum.add(other);
    }
    if (lane == 0) scratch.totals[k] = sum;
  }
}

template <class S, int K, class F>
__global__ void __launch_bounds__(tile_threads)
    tile_sums_kernel(const F f, const unsigned threads, const int lanes_shift, const SumScratch scratch) {
  __shared__ BinSum room[tile_threads / 32];
  ExactAccumulator<S> sums[K];
  for (unsigned n = blockIdx.x * tile_threads + threadIdx.x; n < threads; n += gridDim.x * tile_threads)
    f(static_cast<int>(n >> lanes_shift), sums);
  for (int k = 0; k < K; ++k) {
    const BinSum sum = join_in_block(sums[k], room);
    if (threadIdx.x == 0) scratch.partial[unsigned(k) * gridDim.x + blockIdx.x] = ExactSum(sum.top, sum.finite, sum.bin);
  }
  join_blocks(scratch, K);
}

template <class S, class F>
__global__ void __launch_bounds__(tile_threads)
    vector_sums_kernel(const F f, const unsigned threads, const int lanes_shift, const SumScratch scratch) {
  __shared__ BinSum room[tile_threads / 32];
  ExactAccumulator<S> own;
  for (unsigned n = blockIdx.x * tile_threads + threadIdx.x; n < threads; n += gridDim.x * tile_threads)
    f(static_cast<int>(n >> lanes_shift), static_cast<int>(blockIdx.y), own);
  const BinSum sum = join_in_block(own, room);
  if (threadIdx.x == 0) scratch.partial[blockIdx.y * gridDim.x + blockIdx.x] = ExactSum(sum.top, sum.finite, sum.bin);
  join_blocks(scratch, static_cast<int>(gridDim.y));
}

template <class Kernel>
unsigned blocks_that_fill(Kernel kernel, unsigned threads, int rows) {
  static const unsigned resident = resident_blocks(reinterpret_cast<const void*>(kernel), tile_threads);
  const unsigned needed = (threads - 1) / tile_threads + 1, share = (resident - 1) / unsigned(rows) + 1;
  return needed < share ? needed : share;
}

template <class S, int K, class F>
void run_exact_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, std::span<double, K> totals) {
  const unsigned threads = tile_threads_of(name, policy.tiles(), policy.lanes());
  const auto kernel = tile_sums_kernel<S, K, F>;
  const unsigned blocks = blocks_that_fill(kernel, threads, 1);
  const SumScratch scratch = sum_scratch(policy.space().stream, blocks * K, K);
  kernel<<<blocks, tile_threads, 0, policy.space().stream>>>(f, threads, __builtin_ctz(unsigned(policy.lanes())),
                                                             scratch);
  cuda_check_launch(name);
  wait_for_sums(policy.space().stream, scratch, std::span<double>(totals));
}

template <class S, int Capacity, class F>
void run_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, std::span<double> totals) {
  const unsigned threads = tile_threads_of(name, policy.tiles(), policy.lanes());
  const int vectors = policy.vectors();
  const auto kernel = vector_sums_kernel<S, F>;
  const unsigned blocks = blocks_that_fill(kernel, threads, vectors);
  const SumScratch scratch = sum_scratch(policy.space().stream, blocks * unsigned(vectors), unsigned(vectors));
  kernel<<<dim3(blocks, unsigned(vectors)), tile_threads, 0, policy.space().stream>>>(
      f, threads, __builtin_ctz(unsigned(policy.lanes())), scratch);
  cuda_check_launch(name);
  wait_for_sums(policy.space().stream, scratch, totals);
}

}  // namespace trellis::backend
