// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exact sums in a kernel of one cluster (resident.cuh). Each warp sends what it has to the shared memory of every
// block, and each block waits until everything has come, which its own barrier in shared memory counts in bytes: no
// fence, no meeting of all blocks, no memory outside multiprocessors. A sum takes a third of the time that it takes
// through bins in memory.

#include "trellis/core/backend/cuda/tiles.cuh"

namespace trellis::backend {

class ClusterSums {
 public:
  static constexpr int most_warps = 128;  // of a cluster

  // By all threads of the cluster, which must then meet.
  __device__ void begin() {
    if (threadIdx.x != 0) return;
    for (unsigned long long& barrier : come_)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&barrier)) : "memory");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
  }

  // Of sum `turn` of this launch, from 0 on: the total of what the first `warps` of the cluster have, counted as `warp`
  // is. Each block must have one of them. Called by all threads, which know the total, but not yet what others wrote.
  __device__ double total(unsigned turn, unsigned warp, unsigned warps, const WarpSum& own) {
    // Two sets of places take turns. A block sends number n + 2 when it has number n + 1 of all others, which therefore
    // have read number n.
    const unsigned set = turn % 2, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) expect(&come_[set], warps * unsigned(sizeof(Part)));
    if (warp < warps && lane < gridDim.x) send(own, &parts_[set][warp], &come_[set], lane);
    if (threadIdx.x < 32) {
      await(&come_[set], turn / 2 % 2);
      const double number = join_warp(sum_of_parts(parts_[set], warps)).sum().value();
      if (lane == 0) totals_[set] = number;
    }
    __syncthreads();
    return totals_[set];
  }

 private:
  // The sum of 32 terms, each of which is at most 2^25 units of a bin.
  struct alignas(16) Part {
    int top, bin[exact_sum_detail::bins];
  };

  __device__ static unsigned address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }
  // The bytes that this block waits for.
  __device__ static void expect(unsigned long long* barrier, unsigned bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes)
                 : "memory");
#endif
  }
  // To a place in the memory of a block, whose barrier counts it.
  __device__ static void send(const WarpSum& sum, const Part* to, const unsigned long long* barrier, unsigned block) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned there, its_barrier;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address(to)), "r"(block));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(its_barrier) : "r"(address(barrier)), "r"(block));
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(there),
        "r"(static_cast<int>(sum.top)), "r"(static_cast<int>(sum.bin[0])), "r"(static_cast<int>(sum.bin[1])),
        "r"(static_cast<int>(sum.bin[2])), "r"(its_barrier)
        : "memory");
#endif
  }
  __device__ static void await(const unsigned long long* barrier, unsigned parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned done;
    do {
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(address(barrier)), "r"(parity)
                   : "memory");
    } while (done == 0);
#endif
  }
  // Of a thread of the first warp: every 32nd part.
  __device__ static WarpSum sum_of_parts(const Part* parts, unsigned count) {
    using exact_sum_detail::bins;
    std::int64_t sum[bins] = {0, 0, 0};
    int top = 0;
    for (unsigned n = threadIdx.x; n < count; n += 32) {
      const Part part = parts[n];
      std::int64_t bin[bins] = {part.bin[0], part.bin[1], part.bin[2]};
      const int both = max(top, part.top);
      lower_bins(part.top, both, bin);
      lower_bins(top, both, sum);
      for (int b = 0; b < bins; ++b) sum[b] += bin[b];
      top = both;
    }
    return {{sum[0], sum[1], sum[2]}, top};
  }

  Part parts_[2][most_warps];
  double totals_[2];
  unsigned long long come_[2];
};

// Those of the block.
__device__ inline ClusterSums& cluster_sums() {
  __shared__ __align__(16) unsigned char room[sizeof(ClusterSums)];
  return *reinterpret_cast<ClusterSums*>(room);
}

}  // namespace trellis::backend
