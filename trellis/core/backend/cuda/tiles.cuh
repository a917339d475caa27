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
#include "trellis/core/backend/cuda/kernels.cuh"
#include "trellis/core/exact_sum.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

inline constexpr int tile_threads = 128;  // in a block, at most

// Threads of a kernel in the order of memory: lanes, vectors, tiles.
struct TileThreads {
  unsigned threads;  // in all
  unsigned vectors;  // 0: f takes no vector
  int lanes_shift;

  __device__ int tile(unsigned n) const {
    const unsigned place = n >> lanes_shift;
    return static_cast<int>(vectors > 1 ? place / vectors : place);
  }
  __device__ int vector(unsigned n) const { return vectors > 1 ? static_cast<int>((n >> lanes_shift) % vectors) : 0; }
};
// More than 2^32 would be 2^32 sites.
TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors);

// Blocks that a multiprocessor shall hold at least, if f says so: the compiler then gives a thread so few registers.
template <class F>
inline constexpr int least_blocks = [] {
  if constexpr (requires { F::least_blocks; })
    return F::least_blocks;
  else
    return 0;
}();

// A kernel launched by launch_closely begins with this: its blocks start when the last of the kernel before are gone,
// and wait until all memory that it wrote can be seen. That kernel has waited likewise, so this holds for all before
// it.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

template <class F>
__global__ void __launch_bounds__(tile_threads, least_blocks<F>) tile_kernel(const F f, const TileThreads work) {
  wait_for_previous();
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= work.threads) return;
  if constexpr (std::is_invocable_v<F, int, int>)
    f(work.tile(n), work.vector(n));
  else
    f(static_cast<int>(n >> work.lanes_shift));
}

struct BlockLaunch {
  unsigned threads;  // of a block
  bool closely;      // wait_for_previous() is more than nothing
};
// Blocks with which a multiprocessor holds most threads of a kernel: registers are given to blocks, and smaller ones
// leave fewer of them idle.
BlockLaunch best_launch(const void* kernel);

// Spares a microsecond or two between kernels of a stream.
void launch_closely(const void* kernel, const BlockLaunch& launch, unsigned blocks, CUstream_st* stream,
                    void** arguments);

template <class F>
void run_tiles(const char* name, const TilePolicy<Cuda>& policy, const F& f) {
  const void* const kernel = reinterpret_cast<const void*>(&tile_kernel<F>);
  static const BlockLaunch launch = best_launch(kernel);
  TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), policy.vectors());
  void* arguments[] = {const_cast<F*>(&f), &work};
  launch_closely(kernel, launch, (work.threads - 1) / launch.threads + 1, cuda_stream(policy.space()), arguments);
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

// Of the lanes of a warp, in lane 0.
__device__ inline void join_in_warp(ExactSum& sum) {
  for (int distance = 16; distance > 0; distance /= 2) {
    ExactSum other;
    const auto* from = reinterpret_cast<const int*>(&sum);
    auto* into = reinterpret_cast<int*>(&other);
    for (unsigned w = 0; w < sizeof(ExactSum) / sizeof(int); ++w)
      into[w] = __shfl_xor_sync(0xffffffffu, from[w], distance);
    sum.add(other);
  }
}

// Where sums go that the host waits for: it makes numbers of them.
struct AwaitedSums : CudaJoin<ExactSum> {
  __device__ void put(int k, const ExactSum& sum) const { result[k] = sum; }
  __device__ void done() const {
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) say_done(*this);
  }
};
// Where they go that stay on the device.
struct StandingSums {
  ExactSum* partial;
  unsigned* count;  // of blocks that are done; 0 before and after
  double* values;

  __device__ void put(int k, const ExactSum& sum) const { values[k] = sum.value(); }
  __device__ void done() const {}
};

// The last block to come here joins `count` sums of each of `blocks` blocks, [sum][block]. Few sums have several warps
// each.
template <class To>
__device__ void join_blocks(const To& to, int count, unsigned blocks) {
  if (!is_last_block(to.count)) return;
  constexpr int warps = tile_threads / 32;
  __shared__ alignas(ExactSum) unsigned char room[warps][sizeof(ExactSum)];
  auto* const of_warps = reinterpret_cast<ExactSum*>(room);
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  const int each = count < warps ? warps / count : 1, groups = warps / each, member = warp % each;
  for (int first = 0; first < count; first += groups) {
    const int k = first + warp / each;
    ExactSum sum;
    if (k < count)
      for (unsigned b = unsigned(32 * member + lane); b < blocks; b += unsigned(32 * each))
        sum.add(to.partial[unsigned(k) * blocks + b]);
    join_in_warp(sum);
    if (each > 1) {
      if (lane == 0) of_warps[warp] = sum;
      __syncthreads();
      for (int w = 1; w < each && member == 0; ++w) sum.add(of_warps[warp + w]);
    }
    if (lane == 0 && member == 0 && k < count) to.put(k, sum);
  }
  to.done();
}

template <class S, int K, class F>
__global__ void __launch_bounds__(tile_threads)
    tile_sums_kernel(const F f, const TileThreads work, const AwaitedSums to) {
  __shared__ BinSum room[tile_threads / 32];
  ExactAccumulator<S> sums[K];
  for (unsigned n = blockIdx.x * tile_threads + threadIdx.x; n < work.threads; n += gridDim.x * tile_threads)
    f(static_cast<int>(n >> work.lanes_shift), sums);
  for (int k = 0; k < K; ++k) {
    const BinSum sum = join_in_block(sums[k], room);
    if (threadIdx.x == 0) to.partial[unsigned(k) * gridDim.x + blockIdx.x] = ExactSum(sum.top, sum.finite, sum.bin);
  }
  join_blocks(to, K, gridDim.x);
}

// A row of blocks for each batch of N vectors; the rows of a grid run side by side.
template <class S, int N, class F, class To>
__global__ void __launch_bounds__(tile_threads)
    vector_sums_kernel(const F f, const TileThreads work, const int count, const To to) {
  __shared__ BinSum room[tile_threads / 32];
  const int first = N * static_cast<int>(blockIdx.x);
  ExactAccumulator<S> sums[N];
  for (unsigned n = blockIdx.y * tile_threads + threadIdx.x; n < work.threads; n += gridDim.y * tile_threads)
    if constexpr (std::is_invocable_v<F, int, int, ExactAccumulator<S>&>)
      f(static_cast<int>(n >> work.lanes_shift), first, sums[0]);
    else
      f(static_cast<int>(n >> work.lanes_shift), first, first + N < count ? first + N : count, sums);
  for (int k = 0; k < N && first + k < count; ++k) {
    const BinSum sum = join_in_block(sums[k], room);
    if (threadIdx.x == 0)
      to.partial[unsigned(first + k) * gridDim.y + blockIdx.y] = ExactSum(sum.top, sum.finite, sum.bin);
  }
  join_blocks(to, count, gridDim.y);
}

// The same where a tile is one site and fields stand side by side (lattice/field_space.hpp): the batches of a site are
// the work of neighbouring threads. A thread keeps to one batch; the last few threads of a block may have none.
template <class S, int N, class F, class To>
__global__ void __launch_bounds__(tile_threads)
    neighbour_sums_kernel(const F f, const TileThreads work, const int count, const To to) {
  __shared__ alignas(BinSum) unsigned char memory[tile_threads * sizeof(BinSum)];
  auto* const room = reinterpret_cast<BinSum*>(memory);
  const unsigned rows = (unsigned(count) + N - 1) / N, sites = tile_threads / rows;
  const unsigned row = threadIdx.x % rows, own = threadIdx.x / rows;
  const int first = N * static_cast<int>(row);
  ExactAccumulator<S> sums[N];
  if (own < sites)
    for (unsigned n = blockIdx.x * sites + own; n < work.threads; n += gridDim.x * sites)
      if constexpr (std::is_invocable_v<F, int, int, ExactAccumulator<S>&>)
        f(static_cast<int>(n), first, sums[0]);
      else
        f(static_cast<int>(n), first, first + N < count ? first + N : count, sums);
  for (int k = 0; k < N; ++k) {
    __syncthreads();
    room[threadIdx.x] = sums[k].bins();
    __syncthreads();
    if (threadIdx.x < rows && first + k < count) {
      ExactSum sum;
      for (unsigned s = 0; s < sites; ++s) {
        const BinSum& part = room[s * rows + row];
        sum.add(ExactSum(part.top, part.finite, part.bin));
      }
      to.partial[unsigned(first + k) * gridDim.x + blockIdx.x] = sum;
    }
  }
  join_blocks(to, count, gridDim.x);
}

// Blocks of a kernel that the device runs at a time.
unsigned resident_blocks(const void* kernel, int threads);

// As many, in each of `rows`, for the work of this many threads of a block; all have as much to do, so that none is
// left over at the end.
template <class Kernel>
unsigned blocks_that_fill(Kernel kernel, unsigned work, unsigned of_a_block, unsigned rows) {
  static const unsigned resident = resident_blocks(reinterpret_cast<const void*>(kernel), tile_threads);
  const unsigned needed = (work - 1) / of_a_block + 1, share = resident < rows ? 1 : resident / rows;
  const unsigned turns = (needed - 1) / share + 1;
  return (needed - 1) / turns + 1;
}

template <class S, int K, class F>
void run_exact_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, std::span<double, K> totals) {
  const TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), 0);
  const auto kernel = tile_sums_kernel<S, K, F>;
  const unsigned blocks = blocks_that_fill(kernel, work.threads, tile_threads, 1);
  CUstream_st* const stream = cuda_stream(policy.space());
  CudaReduction sums(blocks * K * sizeof(ExactSum), K * sizeof(ExactSum));
  kernel<<<blocks, tile_threads, 0, stream>>>(f, work, AwaitedSums{sums.join<ExactSum>()});
  cuda_check_launch(name);
  const ExactSum* const found = sums.wait<ExactSum>(stream);
  for (int k = 0; k < K; ++k) totals[k] = found[k].value();
}

// give(kernel, grid, blocks, work): what a sum for each vector is launched with; blocks are those of a row, or, where
// fields stand side by side, of all.
template <class S, int N, class To, class F, class Give>
void with_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F&, const Give& give) {
  const TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), 0);
  const unsigned rows = (unsigned(policy.vectors()) + N - 1) / N;
  if constexpr (lane_count<S> == 1) {
    const auto kernel = neighbour_sums_kernel<S, N, F, To>;
    const unsigned blocks = blocks_that_fill(kernel, work.threads, tile_threads / rows, 1);
    give(kernel, dim3(blocks), blocks, work);
  } else {
    const auto kernel = vector_sums_kernel<S, N, F, To>;
    const unsigned blocks = blocks_that_fill(kernel, work.threads, tile_threads, rows);
    give(kernel, dim3(rows, blocks), blocks, work);
  }
  cuda_check_launch(name);
}

template <class S, int N, class F>
void run_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, std::span<double> totals) {
  const std::size_t vectors = std::size_t(policy.vectors());
  CUstream_st* const stream = cuda_stream(policy.space());
  with_vector_sums<S, N, AwaitedSums>(name, policy, f, [&](auto kernel, dim3 grid, std::size_t blocks, auto work) {
    CudaReduction sums(blocks * vectors * sizeof(ExactSum), vectors * sizeof(ExactSum));
    kernel<<<grid, tile_threads, 0, stream>>>(f, work, policy.vectors(), AwaitedSums{sums.join<ExactSum>()});
    cuda_check_launch(name);
    const ExactSum* const found = sums.wait<ExactSum>(stream);
    for (std::size_t k = 0; k < vectors; ++k) totals[k] = found[k].value();
  });
}

template <class S, int N, class F>
void run_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, const KernelSums<Cuda>& to) {
  CUstream_st* const stream = cuda_stream(policy.space());
  with_vector_sums<S, N, StandingSums>(name, policy, f, [&](auto kernel, dim3 grid, std::size_t blocks, auto work) {
    kernel<<<grid, tile_threads, 0, stream>>>(
        f, work, policy.vectors(),
        StandingSums{to.room().partial(blocks * std::size_t(to.count())), to.room().blocks.data(), to.data()});
  });
}

// f(tile, first, last) for batches of N vectors.
template <int N, class F>
struct Batch {
  static constexpr int least_blocks = backend::least_blocks<F>;
  F f;
  int count;
  __device__ void operator()(int tile, int batch) const {
    const int first = N * batch;
    f(tile, first, first + N < count ? first + N : count);
  }
};
template <int N, class F>
void run_batches(const char* name, const TilePolicy<Cuda>& policy, const F& f) {
  const int count = policy.vectors();
  run_tiles(name, TilePolicy<Cuda>(policy.space(), policy.tiles(), policy.lanes(), (count + N - 1) / N),
            Batch<N, F>{f, count});
}

}  // namespace trellis::backend
