// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernel behind Resident<Cuda>: one block on each multiprocessor, all on the device at the same time (a cooperative
// launch). To meet, each block writes a word that holds the number of the round, and waits for the words of all others:
// nobody collects and distributes them, so it takes one trip through the second-level cache. The words of a sum also
// carry the bins of the block's exact sum, which every block adds up for itself. Words of two rounds alternate: a block
// that is a round ahead does not overwrite what others still read.

#include <bit>

#include "trellis/core/backend/cuda/tiles.cuh"

namespace trellis::backend {

inline constexpr int resident_block = 256;  // threads, at most

class ResidentTeam {
 public:
  __device__ ResidentTeam(const MeetingPlace& place, int lanes_shift)
      : place_(place), round_(*place.round), shift_(lanes_shift) {}

  template <class F>
  __device__ void each(int tiles, const F& f) const {
    const unsigned units = unsigned(tiles) << shift_;
    for (unsigned n = own(); n < units; n += all()) f(static_cast<int>(n >> shift_));
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
    ++round_;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      write(word_of(0, blockIdx.x), 0);
    }
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) static_cast<void>(read(word_of(0, b)));
    __threadfence();
    __syncthreads();
  }

  template <class S, class F>
  __device__ double sum(int tiles, const F& f) {
    __shared__ WarpSum of_warps[resident_block / 32];
    extern __shared__ long long of_blocks[];  // [part][block]
    ExactAccumulator<S> terms;
    each(tiles, [&](int tile) { terms.add(f(tile)); });
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const WarpSum of_warp = join_warp(terms.own_sum());
    if (lane == 0) of_warps[warp] = of_warp;
    ++round_;
    __syncthreads();
    if (warp == 0) {
      const WarpSum of_block = join_warp(lane < warps ? of_warps[lane].sum() : ExactSum());
      if (lane < MeetingPlace::parts) {
        __threadfence();
        write(word_of(lane, blockIdx.x), lane == 0   ? of_block.bin[0]
                                         : lane == 1 ? of_block.bin[1]
                                         : lane == 2 ? of_block.bin[2]
                                                     : of_block.top);
      }
    }
    const unsigned words = MeetingPlace::parts * gridDim.x;
    for (unsigned w = threadIdx.x; w < words; w += blockDim.x) of_blocks[w] = read(words_of_round() + w);
    __threadfence();
    __syncthreads();
    ExactSum total;
    for (unsigned b = lane; b < gridDim.x; b += 32) {
      const long long* const from = of_blocks + b;
      const unsigned next = gridDim.x;
      total.add(WarpSum{static_cast<int>(from[3 * next]), {from[0], from[next], from[2 * next]}}.sum());
    }
    return join_warp(total).sum().value();
  }

  __device__ unsigned round() const { return round_; }

 private:
  static constexpr int tag_bits = 16;

  // Consecutive warps are in different blocks, so that little work is spread over all multiprocessors.
  __device__ static unsigned own() { return ((threadIdx.x / 32) * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32; }
  __device__ static unsigned all() { return gridDim.x * blockDim.x; }

  __device__ unsigned long long* words_of_round() const {
    return place_.words + (round_ & 1) * (MeetingPlace::parts * gridDim.x);
  }
  __device__ unsigned long long* word_of(unsigned part, unsigned block) const {
    return words_of_round() + part * gridDim.x + block;
  }
  __device__ unsigned tag() const { return round_ & ((1u << tag_bits) - 1); }
  // |value| < 2^47: bins of a block have at most 2^26 for each term.
  __device__ void write(unsigned long long* word, long long value) const {
    const unsigned long long both = static_cast<unsigned long long>(value) << tag_bits | tag();
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(both) : "memory");
  }
  // Waits until it has been written in this round.
  __device__ long long read(const unsigned long long* word) const {
    unsigned long long both;
    do {
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(word) : "memory");
    } while ((both & ((1u << tag_bits) - 1)) != tag());
    return static_cast<long long>(both) >> tag_bits;
  }

  MeetingPlace place_;
  unsigned round_;
  int shift_;
};

template <class Body>
__global__ void __launch_bounds__(resident_block, 1)
    resident_kernel(const Body body, const MeetingPlace place, const int lanes_shift) {
  ResidentTeam team(place, lanes_shift);
  body(team);
  team.once([&] { *place.round = team.round(); });  // all blocks have read it before the first meeting
}

void launch_resident(const char* name, const void* kernel, Index threads, CUstream_st* stream, void** arguments);
int lanes_shift_of(int lanes);

}  // namespace trellis::backend

namespace trellis {

template <class Body>
void Resident<Cuda>::run(const Kernel& kernel, Index threads, int lanes, const Body& body) const {
  DispatchTimer timer(kernel, space_);
  if (!timer.runs()) return;
  backend::MeetingPlace meeting = place();
  int shift = backend::lanes_shift_of(lanes);
  void* arguments[] = {const_cast<Body*>(&body), &meeting, &shift};
  backend::launch_resident(kernel.name, reinterpret_cast<const void*>(&backend::resident_kernel<Body>), threads,
                           backend::cuda_stream(space_), arguments);
  timer.given();
}

}  // namespace trellis
