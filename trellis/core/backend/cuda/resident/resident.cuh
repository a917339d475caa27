// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernel behind Resident<Cuda>: one block on each multiprocessor, all on the device at the same time (a cooperative
// launch). To meet, blocks count themselves, and one thread of each waits until all are there. Warps add their terms to
// the bins of an exact sum before they meet, and each block reads them afterwards. Sums take turns in three sets of
// bins: one is in use, one may still be read, and one is set to 0. If the threads fit on the multiprocessors of a
// cluster there is a single cluster instead, which has a barrier and sums of its own (cluster_sums.cuh). The memory of
// threads is that of their block.

#include <bit>

#include "trellis/core/backend/cuda/resident/cluster_sums.cuh"

namespace trellis::backend {

inline constexpr int resident_block_threads = 256;  // at most

class ResidentTeam {
 public:
  static constexpr bool one_tile_each = true;

  __device__ ResidentTeam(const MeetingPlace& place, int lanes_shift)
      : place_(place), round_(place.past[0]), sum_(place.in_cluster ? 0 : place.past[1]), shift_(lanes_shift) {
    if (!place_.in_cluster) return;
    cluster_sums().begin();
    meet_in_cluster();
  }

  template <class F>
  __device__ void each(int tiles, const F& f) const {
    const unsigned n = own();
    if (n < unsigned(tiles) << shift_) f(static_cast<int>(n >> shift_));
  }
  template <class F>
  __device__ void each(int tiles, int vectors, const F& f) const {
    const unsigned units = unsigned(tiles) * unsigned(vectors) << shift_;
    for (unsigned n = own(); n < units; n += all()) {
      const unsigned place = n >> shift_, tile = place / unsigned(vectors);
      f(static_cast<int>(tile), static_cast<int>(place - tile * unsigned(vectors)));
    }
  }
  // From the last thread on, which has the least other work.
  template <class F>
  __device__ void each_number(int count, const F& f) const {
    for (unsigned n = all() - 1 - own(); n < unsigned(count); n += all()) f(static_cast<int>(n));
  }
  template <class F>
  __device__ void once(const F& f) const {
    if (blockIdx.x == 0 && threadIdx.x == 0) f();
  }

  __device__ void meet() {
    if (place_.in_cluster) return meet_in_cluster();
    __syncthreads();
    if (threadIdx.x == 0) come_and_wait();
    ++round_;
    __syncthreads();
  }

  // Only threads with tiles may use theirs.
  __device__ ThreadMemory memory() const {
    extern __shared__ __align__(16) unsigned char memory_of_threads[];
    return {memory_of_threads + threadIdx.x * place_.bytes, place_.bytes};
  }

  template <class S, class F>
  __device__ double sum(int tiles, const F& f) {
    const unsigned units = unsigned(tiles) << shift_, n = own(), warp = n / 32;
    // In a cluster, each block awaits something from all others.
    const unsigned needed = (units + 31) / 32, warps = place_.in_cluster ? max(needed, gridDim.x) : needed;
    WarpSum own_sum{};
    if (warp < warps) own_sum = join_warp(n < units ? double(lane(f(static_cast<int>(n >> shift_)), 0)) : 0.0);
    if (place_.in_cluster) return cluster_sums().total(sum_++, warp, warps, own_sum);

    __shared__ double value;
    const auto set = static_cast<int>(sum_ % MeetingPlace::sums);
    const auto next = static_cast<int>(++sum_ % MeetingPlace::sums);
    if (warp < warps) add_warp(place_.bins, set, own_sum);
    for (unsigned word = n; word < unsigned(SumBins::words); word += all()) place_.bins.row(next, 0)[word] = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) come_and_wait();
      __syncwarp();
      const WarpSum total = join_warp(sum_of_row(place_.bins, set, top_));
      top_ = total.top != SumBins::not_finite ? static_cast<int>(total.top) : 0;
      const double number = total.sum().value();
      if (threadIdx.x == 0) value = number;
    }
    ++round_;
    __syncthreads();
    return value;
  }

  // At the end of the launch. All blocks have read this before they first met.
  __device__ void leave() const {
    if (place_.in_cluster) return;
    place_.past[0] = round_;
    place_.past[1] = sum_;
  }

 private:
  // Consecutive warps are in different blocks, so that little work is spread over all multiprocessors.
  __device__ static unsigned own() { return ((threadIdx.x / 32) * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32; }
  __device__ static unsigned all() { return gridDim.x * blockDim.x; }

  // What the threads of the block wrote before its barrier is released, and what others wrote acquired.
  __device__ void come_and_wait() const {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(place_.blocks) : "memory");
    const unsigned awaited = (round_ + 1) * gridDim.x;
    unsigned come;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(come) : "l"(place_.blocks) : "memory");
    } while (static_cast<int>(come - awaited) < 0);
  }

  // The hardware's own barrier takes a fifth of the time.
  __device__ static void meet_in_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
  }

  MeetingPlace place_;
  unsigned round_, sum_;  // those before; in a cluster, in this launch
  int top_ = 0;           // of the last sum
  int shift_;
};

template <class Body>
__global__ void __launch_bounds__(resident_block_threads, 1)
    resident_kernel(const Body body, const MeetingPlace place, const int lanes_shift) {
  ResidentTeam team(place, lanes_shift);
  body(team);
  team.once([&] { team.leave(); });
}

// What a kernel can have on this device.
struct ResidentLimits {
  unsigned blocks_of_cluster;  // 16 if it can run as one cluster of that many, otherwise 0
  unsigned memory;             // of a block, in bytes
};
ResidentLimits resident_limits(const void* kernel);

struct ResidentLaunch {
  unsigned blocks, block_threads;
  bool in_cluster;
  unsigned bytes;   // of memory, for each thread with a tile
  unsigned memory;  // of a block
};
// Throws Error if there are more threads than can be on the device at once.
ResidentLaunch resident_launch(const char* name, const ResidentLimits& limits, Index threads, unsigned bytes);
void launch_resident(const char* name, const void* kernel, const ResidentLaunch& launch, CUstream_st* stream,
                     void** arguments);

}  // namespace trellis::backend

namespace trellis {

template <class Body>
void Resident<Cuda>::run(const Kernel& kernel, Index threads, int lanes, const Body& body, unsigned bytes) const {
  DispatchTimer timer(kernel, space_);
  if (!timer.runs()) return;
  const void* const function = reinterpret_cast<const void*>(&backend::resident_kernel<Body>);
  static const backend::ResidentLimits limits = backend::resident_limits(function);
  const backend::ResidentLaunch launch = backend::resident_launch(kernel.name, limits, threads, bytes);
  backend::MeetingPlace meeting = place();
  meeting.in_cluster = launch.in_cluster;
  meeting.bytes = launch.bytes;
  int shift = std::countr_zero(unsigned(lanes));
  void* arguments[] = {const_cast<Body*>(&body), &meeting, &shift};
  backend::launch_resident(kernel.name, function, launch, backend::cuda_stream(space_), arguments);
  timer.given();
}

}  // namespace trellis
