// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels behind TilePolicy<Cuda>: one thread per lane, tile after tile; one row of blocks per vector.
//
// Exact sums: a thread has a term, or an accumulator for several. Bins are integers in units of their own, so adding
// them is exact in any order. A warp adds its bins up in a few instructions; one warp of a block adds up those of its
// warps, adds them to integers in memory (sums_room.hpp), and waits for nothing. If there are few blocks, the last one
// to finish converts the sums to numbers, otherwise a separate kernel does.

#include <algorithm>
#include <span>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/kernels.cuh"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis::backend {

inline constexpr int tile_threads = 128;  // per block, at most

// Maps threads of a kernel to lanes, vectors and tiles, in the order of memory.
struct TileThreads {
  unsigned threads;  // total
  unsigned vectors;  // 0: f takes no vector
  int lanes_shift;

  __device__ int tile(unsigned n) const {
    const unsigned place = n >> lanes_shift;
    return static_cast<int>(vectors > 1 ? place / vectors : place);
  }
  __device__ int vector(unsigned n) const { return vectors > 1 ? static_cast<int>((n >> lanes_shift) % vectors) : 0; }
};
// Throws for more than 2^32 threads, which would be 2^32 sites.
TileThreads tile_threads_of(const char* name, int tiles, int lanes, int vectors);

// Kernels launched by launch_closely begin with this: their blocks start when the last blocks of the previous kernel
// have finished, and wait here until all its writes are visible. That kernel waited in the same way, so this holds for
// all earlier ones.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

template <class F>
__global__ void __launch_bounds__(tile_threads, least_blocks_of<F>) tile_kernel(const F f, const TileThreads work) {
  wait_for_previous();
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= work.threads) return;
  if constexpr (std::is_invocable_v<F, int, int>)
    f(work.tile(n), work.vector(n));
  else
    f(static_cast<int>(n >> work.lanes_shift));
}

// A block has all parts of the tiles that have 32 lanes together: an even and the odd one beside it, which read the
// same numbers, if tiles have 16. If their memory is more than every GPU has (64 KiB), it has half of them.
template <class F>
struct JoinedBlock {
  using Part = typename F::Part;
  using Word = scalar_t<typename F::S>;
  static constexpr int each = parts_of_thread<F>, threads_of_lane = F::parts / each;
  static_assert(F::parts % each == 0 && F::joins <= threads_of_lane);
  static constexpr int words = sizeof(Part) / sizeof(Word);
  static constexpr bool fits = 32 * F::parts * sizeof(Part) <= 64 * 1024;
  static constexpr int lanes = std::max(fits ? 32 : 16, lane_count<typename F::S>);
  static constexpr int threads = lanes * threads_of_lane, slots = lanes * F::parts;
  static constexpr std::size_t bytes = sizeof(Part) * slots;
};

template <class F>
__global__ void __launch_bounds__(JoinedBlock<F>::threads, least_blocks_of<F>)
    joined_parts_kernel(const F f, const TileThreads work) {
  using Block = JoinedBlock<F>;
  using Part = typename Block::Part;
  using Word = typename Block::Word;
  wait_for_previous();
  // Word by word, so that threads side by side use different banks.
  extern __shared__ __align__(16) unsigned char memory_of_joined_parts[];
  Word* const room = reinterpret_cast<Word*>(memory_of_joined_parts);
  const unsigned n = blockIdx.x * Block::threads + threadIdx.x;
  const int tile = work.tile(n), own = work.vector(n);
  const int shift = work.lanes_shift, lane = int(threadIdx.x) & ((1 << shift) - 1);
  const int first = (((int(threadIdx.x) >> shift) - own) * Block::each << shift) + lane;  // of this tile
  if (n < work.threads)
    for (int each = 0; each < Block::each; ++each) {
      const int number = own * Block::each + each;
      const Part part = f.part(tile, number);
      Word values[Block::words];
      memcpy(values, &part, sizeof(Part));
#pragma unroll
      for (int k = 0; k < Block::words; ++k) room[k * Block::slots + first + (number << shift)] = values[k];
    }
  __syncthreads();
  if (n >= work.threads || own >= F::joins) return;
  f.join(tile, own, [&](int of) {
    Word values[Block::words];
#pragma unroll
    for (int k = 0; k < Block::words; ++k) values[k] = room[k * Block::slots + first + (of << shift)];
    Part part;
    memcpy(&part, values, sizeof(Part));
    return part;
  });
}

struct BlockLaunch {
  unsigned threads;        // per block
  bool closely;            // wait_for_previous() has an effect
  std::size_t memory = 0;  // per block, in bytes
};
// The block size with which a multiprocessor holds the most threads of a kernel: registers are allocated per block, and
// smaller blocks leave fewer of them unused.
BlockLaunch best_launch(const void* kernel);
// Blocks of this many threads, with so much memory.
BlockLaunch launch_with_memory(const void* kernel, int threads, std::size_t memory);
// The best with blocks of this many threads, if it is a number that a kernel can be launched with, otherwise `best`.
inline BlockLaunch in_blocks_of(int threads, const BlockLaunch& best) {
  const bool possible = threads > 0 && threads <= tile_threads && threads % 32 == 0;
  return possible ? BlockLaunch{unsigned(threads), best.closely} : best;
}

// Saves a microsecond or two between kernels of a stream.
void launch_closely(const void* kernel, const BlockLaunch& launch, unsigned blocks, CUstream_st* stream,
                    void** arguments);

template <class F>
void run_tiles(const char* name, const TilePolicy<Cuda>& policy, const F& f) {
  const void* const kernel = reinterpret_cast<const void*>(&tile_kernel<F>);
  static const BlockLaunch best = best_launch(kernel);
  const BlockLaunch launch = in_blocks_of(policy.block_threads(), best);
  TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), policy.vectors());
  void* arguments[] = {const_cast<F*>(&f), &work};
  launch_closely(kernel, launch, (work.threads - 1) / launch.threads + 1, cuda_stream(policy.space()), arguments);
  cuda_check_launch(name);
}

template <class F>
void run_joined_parts(const char* name, const TilePolicy<Cuda>& policy, const F& f) {
  const void* const kernel = reinterpret_cast<const void*>(&joined_parts_kernel<F>);
  using Block = JoinedBlock<F>;
  static const BlockLaunch launch = launch_with_memory(kernel, Block::threads, Block::bytes);
  TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), Block::threads_of_lane);
  void* arguments[] = {const_cast<F*>(&f), &work};
  launch_closely(kernel, launch, (work.threads - 1) / launch.threads + 1, cuda_stream(policy.space()), arguments);
  cuda_check_launch(name);
}

// The row of sum k that this warp adds to.
__device__ inline unsigned long long* own_row(const SumBins& to, int k) {
  return to.row(k, blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}
__device__ inline void mark(unsigned long long* row, int top) {
  atomicOr(SumBins::marks(row) + top / 32, 1u << top % 32);
}

// The sum of a warp, with its top numbered from the lowest.
struct WarpSum {
  long long bin[exact_sum_detail::bins];
  long long top;

  __device__ ExactSum sum() const {
    const std::int64_t bins[] = {bin[0], bin[1], bin[2]};
    return ExactSum(static_cast<int>(top) + exact_sum_detail::lowest_top, top != SumBins::not_finite, bins);
  }
};

// The sum of a term of each thread of a warp. All threads of the warp must call it.
__device__ inline WarpSum join_warp(double term) {
  using namespace exact_sum_detail;
  constexpr unsigned everyone = 0xffffffffu;
  const double size = fabs(term);
  const int own = size <= limit(highest_top) ? max(top_for(size) - lowest_top, 0) : SumBins::not_finite;
  const int top = __reduce_max_sync(everyone, own);
  WarpSum total{{0, 0, 0}, top};
  if (top == SumBins::not_finite) return total;
  // For the whole warp's top at once: a part is an integer of at most 2^25 units, the low bits of the number that
  // rounds it.
  for (int b = 0; b < bins; ++b) {
    const double by = rounder(top + lowest_top - b), rounded = term + by;
    total.bin[b] = __reduce_add_sync(everyone, __double2loint(rounded));
    term -= rounded - by;
  }
  return total;
}

// The bins of a sum below this top, which is not below its own: those of lower tops move down, as in ExactSum::add. In
// registers, as an index computed by a thread would not be.
__device__ inline void lower_bins(int own_top, int top, std::int64_t (&bin)[exact_sum_detail::bins]) {
  for (int step = 0; step < exact_sum_detail::bins; ++step)
    if (own_top + step < top) {
      bin[2] = bin[1];
      bin[1] = bin[0];
      bin[0] = 0;
    }
}

// The same for a sum in each thread, of at most 2^24 terms.
__device__ inline WarpSum join_warp(const WarpSum& own) {
  using exact_sum_detail::bins;
  constexpr unsigned everyone = 0xffffffffu;
  const int own_top = static_cast<int>(own.top), top = __reduce_max_sync(everyone, own_top);
  std::int64_t bin[bins] = {own.bin[0], own.bin[1], own.bin[2]};
  lower_bins(own_top, top, bin);
  constexpr int low_bits = 24;
  WarpSum total{{0, 0, 0}, top};
  for (int b = 0; b < bins; ++b) {
    const int high = __reduce_add_sync(everyone, static_cast<int>(bin[b] >> low_bits));
    const unsigned low = __reduce_add_sync(everyone, static_cast<unsigned>(bin[b]) & ((1u << low_bits) - 1));
    total.bin[b] = (static_cast<long long>(high) << low_bits) + low;
  }
  return total;
}
__device__ inline WarpSum join_warp(const ExactSum& own) {
  return join_warp(WarpSum{{own.bin(0), own.bin(1), own.bin(2)}, SumBins::top_of(own)});
}

// Adds the sum of a warp to sum k.
__device__ inline void add_warp(const SumBins& to, int k, const WarpSum& total) {
  using exact_sum_detail::bins;
  const unsigned lane = threadIdx.x % 32;
  unsigned long long* const row = own_row(to, k);
  if (lane == bins) mark(row, static_cast<int>(total.top));
  if (total.top == SumBins::not_finite) return;
  for (int b = 0; b < bins; ++b)
    if (lane == unsigned(b))
      atomicAdd(SumBins::bin(row, static_cast<int>(total.top)) - b, static_cast<unsigned long long>(total.bin[b]));
}

// Adds up the sums of a block's warps, of each of K sums, and adds them to sums first, first + 1, ... below `count`.
// All threads of the block must call it. Each warp by itself would do four atomic operations a sum, which keep L2
// busier than the bytes of a short kernel.
template <int K>
__device__ inline void add_block(const SumBins& to, int first, int count, const WarpSum (&own)[K]) {
  constexpr int most = tile_threads / 32;
  __shared__ alignas(WarpSum) unsigned char memory[K * most * sizeof(WarpSum)];
  auto* const room = reinterpret_cast<WarpSum*>(memory);
  const int warps = int(blockDim.x) / 32, warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  if (lane == 0)
#pragma unroll
    for (int k = 0; k < K; ++k) room[k * most + warp] = own[k];
  __syncthreads();
  for (int k = warp; k < K && first + k < count; k += warps)
    add_warp(to, first + k, join_warp(lane < warps ? room[k * most + lane] : WarpSum{{0, 0, 0}, 0}));
}

// The same for the sum of a single thread.
__device__ inline void add_thread(const SumBins& to, int k, const ExactSum& own) {
  const int top = SumBins::top_of(own);
  unsigned long long* const row = to.row(k, blockIdx.x);
  mark(row, top);
  if (top == SumBins::not_finite) return;
  for (int b = 0; b < exact_sum_detail::bins; ++b)
    atomicAdd(SumBins::bin(row, top) - b, static_cast<unsigned long long>(own.bin(b)));
}

// What is in this thread's row of sum k: a thread of a warp for each row. If the highest top that occurred is `guess`,
// the bins need not wait for it.
__device__ inline WarpSum sum_of_row(const SumBins& of, int k, int guess = 0) {
  using exact_sum_detail::bins;
  static_assert(SumBins::rows == 32);
  unsigned long long* const row = of.row(k, threadIdx.x % 32);
  const unsigned* const marks = SumBins::marks(row);
  unsigned marked[SumBins::mark_words];
  WarpSum sum;
  for (int word = 0; word < SumBins::mark_words; ++word) marked[word] = __ldcg(marks + word);
  for (int b = 0; b < bins; ++b) sum.bin[b] = static_cast<long long>(__ldcg(SumBins::bin(row, guess) - b));
  int top = -1;
  for (int word = 0; word < SumBins::mark_words; ++word)
    if (marked[word] != 0) top = 32 * word + 31 - __clz(static_cast<int>(marked[word]));
  sum.top = max(top, 0);
  if (top == guess) return sum;
  for (int b = 0; b < bins; ++b)
    sum.bin[b] = top < 0 || top == SumBins::not_finite ? 0 : static_cast<long long>(__ldcg(SumBins::bin(row, top) - b));
  return sum;
}

// A warp converts sum k to a number and resets its bins and marks to 0.
__device__ inline void finish_sum(const SumBins& of, int k, const SumsEnd& end) {
  using exact_sum_detail::bins;
  const ExactSum sum = join_warp(sum_of_row(of, k)).sum();
  unsigned long long* const row = of.row(k, threadIdx.x % 32);
  unsigned* const marks = SumBins::marks(row);
  for (int word = 0; word < SumBins::mark_words; ++word) {
    for (unsigned left = __ldcg(marks + word); left != 0; left &= left - 1) {
      const int t = 32 * word + __ffs(static_cast<int>(left)) - 1;
      for (int b = 0; b < bins && t != SumBins::not_finite; ++b) *(SumBins::bin(row, t) - b) = 0;
    }
    marks[word] = 0;
  }
  if (threadIdx.x % 32 != 0) return;
  if (end.values != nullptr)
    end.values[k] = sum.value();
  else
    end.sums[k] = sum;
}

// A block converts all sums.
__device__ inline void finish_sums(const SumBins& of, int count, const SumsEnd& end) {
  for (unsigned k = threadIdx.x / 32; k < unsigned(count); k += blockDim.x / 32) finish_sum(of, int(k), end);
  if (end.done == nullptr) return;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    *static_cast<volatile unsigned*>(end.done) = end.ticket;
  }
}

// The end of a kernel that added to sums.
__device__ inline void end_sums(const SumBins& of, int count, const SumsEnd& end) {
  if (end.by_last_block && is_last_block(of.blocks)) finish_sums(of, count, end);
}

template <class S, int K, class F>
__global__ void __launch_bounds__(tile_threads, least_blocks_of<F>)
    tile_sums_kernel(const F f, const TileThreads work, const SumBins to, const SumsEnd end) {
  wait_for_previous();
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  ExactAccumulator<S> sums[K];
  if (n < work.threads) f(static_cast<int>(n >> work.lanes_shift), sums);
  WarpSum joined[K];
#pragma unroll
  for (int k = 0; k < K; ++k) joined[k] = join_warp(sums[k].own_sum());
  add_block(to, 0, K, joined);
  end_sums(to, K, end);
}

// Neighbouring blocks work on the batches of N vectors of the same tiles, which share links.
template <class S, int N, class F>
__global__ void __launch_bounds__(tile_threads, least_blocks_of<F>)
    vector_sums_kernel(const F f, const TileThreads work, const int count, const SumBins to, const SumsEnd end) {
  wait_for_previous();
  const unsigned rows = (unsigned(count) + N - 1) / N, block = rows == 1 ? blockIdx.x : blockIdx.x / rows;
  const unsigned n = block * blockDim.x + threadIdx.x;
  const int first = rows == 1 ? 0 : N * static_cast<int>(blockIdx.x - block * rows);
  const int tile = static_cast<int>(n >> work.lanes_shift);
  if constexpr (std::is_invocable_v<F, int, int>) {
    const WarpSum joined[] = {join_warp(n < work.threads ? double(lane(f(tile, first), 0)) : 0.0)};
    add_block(to, first, count, joined);
  } else {
    ExactAccumulator<S> sums[N];
    if (n < work.threads) f(tile, first, first + N < count ? first + N : count, sums);
    WarpSum joined[N];
#pragma unroll
    for (int k = 0; k < N; ++k) joined[k] = join_warp(sums[k].own_sum());
    add_block(to, first, count, joined);
  }
  end_sums(to, count, end);
}

// The same if a tile is one site and fields lie side by side (lattice/field_space.hpp): neighbouring threads work on
// the batches of a site. A thread keeps to one batch. The grid fills the device once, and its blocks take turns. The
// last few threads of a block may have no work.
template <class S, int N, class F>
__global__ void __launch_bounds__(tile_threads)
    neighbour_sums_kernel(const F f, const TileThreads work, const int count, const SumBins to, const SumsEnd end) {
  wait_for_previous();
  __shared__ alignas(ExactSum) unsigned char memory[tile_threads * sizeof(ExactSum)];
  auto* const room = reinterpret_cast<ExactSum*>(memory);
  const unsigned rows = (unsigned(count) + N - 1) / N, sites = tile_threads / rows;
  const unsigned row = threadIdx.x % rows, own = threadIdx.x / rows;
  const int first = N * static_cast<int>(row);
  ExactAccumulator<S> sums[N];
  if (own < sites)
    for (unsigned n = blockIdx.x * sites + own; n < work.threads; n += gridDim.x * sites)
      if constexpr (std::is_invocable_v<F, int, int>)
        sums[0].add(f(static_cast<int>(n), first));
      else
        f(static_cast<int>(n), first, first + N < count ? first + N : count, sums);
#pragma unroll
  for (int k = 0; k < N; ++k) {
    __syncthreads();
    room[threadIdx.x] = sums[k].own_sum();
    __syncthreads();
    if (threadIdx.x < rows && first + k < count) {
      ExactSum sum;
      for (unsigned s = 0; s < sites; ++s) sum.add(room[s * rows + row]);
      add_thread(to, first + k, sum);
    }
  }
  end_sums(to, count, end);
}

unsigned multiprocessors_of_device();
// The number of blocks of a kernel that the device runs at a time.
unsigned resident_blocks(const void* kernel, int threads);

// The number of blocks, at most that, for the given work at `of_a_block` per block, chosen so that all blocks have
// equal shares and none is left over at the end.
inline unsigned blocks_that_share(unsigned work, unsigned of_a_block, unsigned resident) {
  const unsigned needed = (work - 1) / of_a_block + 1, turns = (needed - 1) / resident + 1;
  return (needed - 1) / turns + 1;
}

// Launches a kernel that adds to `bins` and, if it has many blocks, another that converts them to numbers: to find out
// which block is last, every block would have to wait for its own writes, whereas another kernel takes three
// microseconds.
void launch_sums(const char* name, const void* kernel, const BlockLaunch& launch, unsigned blocks, CUstream_st* stream,
                 const SumBins& bins, int count, SumsEnd& end, std::span<void*> arguments);

template <class S, int K, class F>
void run_exact_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, std::span<ExactSum, K> totals) {
  const void* const kernel = reinterpret_cast<const void*>(&tile_sums_kernel<S, K, F>);
  static const BlockLaunch best = best_launch(kernel);
  const BlockLaunch launch = in_blocks_of(policy.block_threads(), best);
  TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), 0);
  CUstream_st* const stream = cuda_stream(policy.space());
  CudaReduction sums(K);
  SumBins bins = sums.bins();
  SumsEnd end = sums.end();
  void* arguments[] = {const_cast<F*>(&f), &work, &bins, &end};
  launch_sums(name, kernel, launch, (work.threads - 1) / launch.threads + 1, stream, bins, K, end, arguments);
  const ExactSum* const found = sums.wait<ExactSum>(stream);
  for (int k = 0; k < K; ++k) totals[k].add(found[k]);
}

// One sum per vector.
template <class S, int N, class F>
void launch_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, SumBins bins, SumsEnd end) {
  TileThreads work = tile_threads_of(name, policy.tiles(), policy.lanes(), 0);
  int count = policy.vectors();
  const unsigned rows = (unsigned(count) + N - 1) / N;
  CUstream_st* const stream = cuda_stream(policy.space());
  void* arguments[] = {const_cast<F*>(&f), &work, &count, &bins, &end};
  const auto run = [&](const void* kernel, const BlockLaunch& launch, unsigned blocks) {
    launch_sums(name, kernel, launch, blocks, stream, bins, count, end, arguments);
  };
  if constexpr (lane_count<S> == 1) {
    const void* const kernel = reinterpret_cast<const void*>(&neighbour_sums_kernel<S, N, F>);
    static const BlockLaunch launch{tile_threads, best_launch(kernel).closely};
    static const unsigned resident = resident_blocks(kernel, tile_threads);
    run(kernel, launch, blocks_that_share(work.threads, tile_threads / rows, resident));
  } else {
    const void* const kernel = reinterpret_cast<const void*>(&vector_sums_kernel<S, N, F>);
    static const BlockLaunch best = best_launch(kernel);
    const BlockLaunch launch = in_blocks_of(policy.block_threads(), best);
    run(kernel, launch, ((work.threads - 1) / launch.threads + 1) * rows);
  }
}

template <class S, int N, class F>
void run_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, std::span<ExactSum> totals) {
  CudaReduction sums(static_cast<int>(totals.size()));
  launch_vector_sums<S, N>(name, policy, f, sums.bins(), sums.end());
  const ExactSum* const found = sums.wait<ExactSum>(cuda_stream(policy.space()));
  for (std::size_t k = 0; k < totals.size(); ++k) totals[k].add(found[k]);
}

// Adds to what previous kernels left in the bins; the last one stores the sums in `exact` if that is not null,
// otherwise their values.
template <class S, int N, class F>
void run_vector_sums(const char* name, const TilePolicy<Cuda>& policy, const F& f, const KernelSums<Cuda>& to,
                     bool last = true, ExactSum* exact = nullptr) {
  launch_vector_sums<S, N>(name, policy, f, to.room().bins(),
                           SumsEnd{exact == nullptr ? to.data() : nullptr, exact, nullptr, 0, false, !last});
}

// f(tile, first, last) for batches of N vectors.
template <int N, class F>
struct Batch {
  static constexpr int least_blocks = least_blocks_of<F>;
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
  const TilePolicy<Cuda> batches(policy.space(), policy.tiles(), policy.lanes(), (count + N - 1) / N);
  run_tiles(name, batches.in_blocks_of(policy.block_threads()), Batch<N, F>{f, count});
}

}  // namespace trellis::backend
