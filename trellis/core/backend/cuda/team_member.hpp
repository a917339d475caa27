// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread's place in a team, on a GPU: a team is a block of team_size x vector_length threads. The lanes of a thread
// are adjacent, so that a thread of the team is an aligned part of a warp. Indices are dealt out to threads and lanes
// cyclically, so that accesses are coalesced. Reductions use shuffles between lanes, and shared memory between threads,
// in the order of the threads; the scratch memory of the block comes after it. Included by team_policy.hpp.

#include <cstddef>
#include <cstdio>

#include "trellis/core/backend/host_team.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

class CudaTeamMember {
 public:
  static constexpr int slot_bytes = 32;  // largest size of a value that threads exchange

  TRELLIS_FUNCTION CudaTeamMember(Index league_rank, Index league_size, unsigned char* shared, std::size_t slots_bytes,
                                  std::size_t scratch_bytes)
      : league_rank_(league_rank),
        league_size_(league_size),
        slots_(shared),
        scratch_(shared + slots_bytes),
        scratch_bytes_(scratch_bytes) {}

  TRELLIS_FUNCTION Index league_rank() const { return league_rank_; }
  TRELLIS_FUNCTION Index league_size() const { return league_size_; }
  TRELLIS_FUNCTION int team_rank() const { return static_cast<int>(thread()); }
  TRELLIS_FUNCTION int team_size() const { return static_cast<int>(threads()); }
  TRELLIS_FUNCTION void team_barrier() const { wait(); }

  template <class DataType, class... I>
  TRELLIS_FUNCTION View<DataType, LayoutRight, ScratchSpace> scratch(I... extents) const {
    using Result = View<DataType, LayoutRight, ScratchSpace>;
    using T = typename Result::value_type;
    const Result shape(static_cast<T*>(nullptr), extents...);
    const std::size_t bytes = static_cast<std::size_t>(shape.span()) * sizeof(T);
    const std::size_t begin = used_;
    if (begin + bytes > scratch_bytes_) {
      printf("trellis: scratch memory of a team: %llu bytes after %llu were asked for, the policy has %llu\n",
             static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(begin),
             static_cast<unsigned long long>(scratch_bytes_));
      stop();
    }
    used_ = (begin + bytes + backend::scratch_alignment - 1) / backend::scratch_alignment * backend::scratch_alignment;
    return Result(reinterpret_cast<T*>(scratch_ + begin), extents...);
  }

  template <class F>
  TRELLIS_FUNCTION void for_threads(Index begin, Index end, const F& f) const {
    for (Index i = begin + thread(); i < end; i += threads()) f(i);
  }
  template <class F>
  TRELLIS_FUNCTION void for_lanes(Index begin, Index end, const F& f) const {
    for (Index i = begin + lane(); i < end; i += lanes()) f(i);
  }
  template <class F>
  TRELLIS_FUNCTION void for_all(Index begin, Index end, const F& f) const {
    for (Index i = begin + place(); i < end; i += lanes() * threads()) f(i);
  }

  template <class F, class R>
  TRELLIS_FUNCTION auto reduce_threads(Index begin, Index end, const F& f, const R& reducer) const {
    auto own = reducer.identity();
    for_threads(begin, end, [&](Index i) { f(i, own); });
    return join_threads(own, reducer);
  }
  template <class F, class R>
  TRELLIS_FUNCTION auto reduce_lanes(Index begin, Index end, const F& f, const R& reducer) const {
    auto own = reducer.identity();
    for_lanes(begin, end, [&](Index i) { f(i, own); });
    return join_lanes(own, reducer);
  }
  template <class F, class R>
  TRELLIS_FUNCTION auto reduce_all(Index begin, Index end, const F& f, const R& reducer) const {
    auto own = reducer.identity();
    for_all(begin, end, [&](Index i) { f(i, own); });
    return join_threads(join_lanes(own, reducer), reducer);
  }

  // Takes as many indices at a time as there are threads; a thread adds the sum of previous rounds and of lower
  // threads.
  template <class T, class F>
  TRELLIS_FUNCTION T scan_threads(Index begin, Index end, const F& f) const {
    T before{};
    for (Index start = begin; start < end; start += threads()) {
      const Index i = start + thread();
      T own{};
      if (i < end) f(i, own, false);
      put(own);
      team_barrier();
      T mine = before;
      for (unsigned r = 0; r < threads(); ++r) {
        const T other = get<T>(r);
        if (r < thread()) mine += other;
        before += other;
      }
      team_barrier();
      if (i < end) f(i, mine, true);
    }
    return before;
  }
  template <class T, class F>
  TRELLIS_FUNCTION T scan_lanes(Index begin, Index end, const F& f) const {
    T before{};
    for (Index start = begin; start < end; start += lanes()) {
      const Index i = start + lane();
      T own{};
      if (i < end) f(i, own, false);
      T mine = before;
      for (unsigned l = 0; l < lanes(); ++l) {
        const T other = from_lane(own, l);
        if (l < lane()) mine += other;
        before += other;
      }
      if (i < end) f(i, mine, true);
    }
    return before;
  }

  template <class T>
  TRELLIS_FUNCTION T broadcast(const T& value, int rank) const {
    if (team_rank() == rank && is_first_lane()) *slot<T>(0) = value;
    team_barrier();
    const T given = get<T>(0);
    team_barrier();
    return given;
  }
  template <class T>
  TRELLIS_FUNCTION T broadcast_lanes(const T& value) const {
    return from_lane(value, 0);
  }
  TRELLIS_FUNCTION bool is_first_lane() const { return lane() == 0; }

 private:
#if defined(__CUDA_ARCH__)
  static __device__ unsigned lane() { return threadIdx.x; }
  static __device__ unsigned thread() { return threadIdx.y; }
  static __device__ unsigned lanes() { return blockDim.x; }
  static __device__ unsigned threads() { return blockDim.y; }
  static __device__ void wait() { __syncthreads(); }
  static __device__ void stop() { __trap(); }
  __device__ int shuffled(int word, unsigned from) const {
    return __shfl_sync(mask(), word, static_cast<int>(from), static_cast<int>(blockDim.x));
  }
#else
  // For the host compiler, which reads these but never runs them.
  static unsigned lane() { return 0; }
  static unsigned thread() { return 0; }
  static unsigned lanes() { return 1; }
  static unsigned threads() { return 1; }
  static void wait() {}
  static void stop() {}
  int shuffled(int word, unsigned) const { return word; }
#endif
  TRELLIS_FUNCTION Index place() const { return static_cast<Index>(thread()) * lanes() + lane(); }
  // The lanes of this thread, as a mask of its warp.
  TRELLIS_FUNCTION unsigned mask() const {
    const unsigned first = static_cast<unsigned>(place()) / lanes() * lanes() % 32;
    return (lanes() == 32 ? 0xffffffffU : (1U << lanes()) - 1) << first;
  }
  template <class T>
  TRELLIS_FUNCTION T from_lane(const T& value, unsigned from) const {
    static_assert(sizeof(T) % 4 == 0, "values that lanes exchange are made of words of 4 bytes");
    union Words {
      TRELLIS_FUNCTION Words() {}
      int words[sizeof(T) / 4];
      T value;
    } held;
    held.value = value;
    for (auto& word : held.words) word = shuffled(word, from);
    return held.value;
  }
  template <class T>
  TRELLIS_FUNCTION T* slot(unsigned rank) const {
    static_assert(sizeof(T) <= slot_bytes, "a value that a team of a GPU reduces has at most 32 bytes");
    return reinterpret_cast<T*>(slots_ + rank * slot_bytes);
  }
  template <class T>
  TRELLIS_FUNCTION void put(const T& value) const {
    if (is_first_lane()) *slot<T>(thread()) = value;
  }
  template <class T>
  TRELLIS_FUNCTION T get(unsigned rank) const {
    return *slot<T>(rank);
  }
  template <class T, class R>
  TRELLIS_FUNCTION T join_lanes(const T& own, const R& reducer) const {
    T total = own;
    for (unsigned half = lanes() / 2; half > 0; half /= 2) {
      const T other = from_lane(total, lane() ^ half);
      // Both lanes of a pair join in the same order, so that all lanes have the same bits.
      T low = (lane() & half) == 0 ? total : other;
      reducer.join(low, (lane() & half) == 0 ? other : total);
      total = low;
    }
    return total;
  }
  template <class T, class R>
  TRELLIS_FUNCTION T join_threads(const T& own, const R& reducer) const {
    put(own);
    team_barrier();
    T total = reducer.identity();
    for (unsigned r = 0; r < threads(); ++r) reducer.join(total, get<T>(r));
    team_barrier();
    return total;
  }

  Index league_rank_, league_size_;
  unsigned char* slots_;
  unsigned char* scratch_;
  std::size_t scratch_bytes_;
  mutable std::size_t used_ = 0;
};

namespace backend {
template <>
struct TeamTraits<Cuda> {
  using Member = CudaTeamMember;
  static constexpr int default_size = 128;
  static int largest_size() { return 1024; }
  // A block has 48 KiB unless more is requested.
  static constexpr std::size_t largest_scratch = 48 * 1024 - 1024 * CudaTeamMember::slot_bytes;
};
}  // namespace backend

}  // namespace trellis
