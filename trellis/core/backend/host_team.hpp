// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread's place in a team, on a host. The threads of a team are neighbours (OpenMP gives each team that many of its
// threads); most teams have one. They share a barrier, room for the partial results of a reduction, and scratch memory.
// If a functor throws in one thread, the others are released from their barrier and stop as well; the caller gets the
// first exception thrown.

#include <atomic>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>

#include "trellis/core/backend/lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/view.hpp"

namespace trellis::backend {

// Thrown in the other threads of a team if one has failed.
struct TeamGivesUp {};

class TeamShared {
 public:
  static constexpr std::size_t slot_bytes = 256;

  TeamShared(int size, std::size_t scratch_bytes)
      : size_(size),
        slots_(size > 1 ? std::make_unique<Slot[]>(static_cast<std::size_t>(size)) : nullptr),
        scratch_bytes_(scratch_bytes),
        scratch_(scratch_bytes == 0 ? nullptr : new(std::align_val_t{memory_alignment}) std::byte[scratch_bytes]) {}

  void barrier() {
    if (size_ == 1) return;
    const int turn = turn_.load(std::memory_order_acquire);
    if (given_up_.load(std::memory_order_relaxed)) throw TeamGivesUp{};
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
      waiting_.store(0, std::memory_order_relaxed);
      next_turn();
    } else {
      // Spins for a few hundred nanoseconds, then sleeps: threads may outnumber cores.
      for (int looks = 0; looks < 200 && turn_.load(std::memory_order_acquire) == turn; ++looks) {
      }
      while (turn_.load(std::memory_order_acquire) == turn) turn_.wait(turn, std::memory_order_acquire);
    }
    if (given_up_.load(std::memory_order_relaxed)) throw TeamGivesUp{};
  }
  void give_up() {
    given_up_.store(true, std::memory_order_relaxed);
    next_turn();
  }

  template <class T>
  T& slot(int rank) {
    static_assert(sizeof(T) <= slot_bytes, "a value that a team reduces has at most 256 bytes");
    return *reinterpret_cast<T*>(slots_[static_cast<std::size_t>(rank)].bytes);
  }
  std::byte* scratch() const { return scratch_.get(); }
  std::size_t scratch_bytes() const { return scratch_bytes_; }

 private:
  struct alignas(64) Slot {
    std::byte bytes[slot_bytes];
  };
  struct Free {
    void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t{memory_alignment}); }
  };

  void next_turn() {
    turn_.fetch_add(1, std::memory_order_release);
    turn_.notify_all();
  }

  const int size_;
  std::atomic<int> waiting_ = 0;
  std::atomic<int> turn_ = 0;
  std::atomic<bool> given_up_ = false;
  std::unique_ptr<Slot[]> slots_;
  std::size_t scratch_bytes_;
  std::unique_ptr<std::byte, Free> scratch_;
};

// The largest alignment that numbers need; pieces of scratch memory begin at multiples of it.
inline constexpr std::size_t scratch_alignment = 64;

}  // namespace trellis::backend

namespace trellis {

class TeamMember {
 public:
  TeamMember(Index league_rank, Index league_size, int rank, int size, backend::TeamShared& shared)
      : league_rank_(league_rank), league_size_(league_size), rank_(rank), size_(size), shared_(&shared) {}

  Index league_rank() const { return league_rank_; }
  Index league_size() const { return league_size_; }
  int team_rank() const { return rank_; }
  int team_size() const { return size_; }
  void team_barrier() const { shared_->barrier(); }

  // A View of scratch memory that the team shares; all its threads must make the same requests in the same order.
  template <class DataType, class... I>
  View<DataType, LayoutRight, ScratchSpace> scratch(I... extents) const {
    using Result = View<DataType, LayoutRight, ScratchSpace>;
    using T = typename Result::value_type;
    const Result shape(static_cast<T*>(nullptr), extents...);
    const auto bytes = static_cast<std::size_t>(shape.span()) * sizeof(T);
    const std::size_t begin = used_;
    if (begin + bytes > shared_->scratch_bytes()) {
      fail("scratch memory of a team: {} bytes after {} were asked for, the policy has {}: see set_scratch_size", bytes,
           begin, shared_->scratch_bytes());
    }
    used_ = (begin + bytes + backend::scratch_alignment - 1) / backend::scratch_alignment * backend::scratch_alignment;
    return Result(reinterpret_cast<T*>(shared_->scratch() + begin), extents...);
  }

  // Building blocks of nested ranges (team_policy.hpp): threads take contiguous parts in their order; lanes are those
  // of the thread's registers.
  template <class F>
  TRELLIS_INLINE void for_threads(Index begin, Index end, const F& f) const {
    const auto [first, last] = part(begin, end);
    for (Index i = first; i < last; ++i) f(i);
  }
  template <class F>
  TRELLIS_INLINE void for_lanes(Index begin, Index end, const F& f) const {
    TRELLIS_SIMD_LOOP
    for (Index i = begin; i < end; ++i) f(i);
  }
  template <class F>
  TRELLIS_INLINE void for_all(Index begin, Index end, const F& f) const {
    const auto [first, last] = part(begin, end);
    for_lanes(first, last, f);
  }
  template <class F, class R>
  TRELLIS_INLINE auto reduce_threads(Index begin, Index end, const F& f, const R& reducer) const {
    const auto [first, last] = part(begin, end);
    auto own = reducer.identity();
    for (Index i = first; i < last; ++i) f(i, own);
    return join(own, reducer);
  }
  template <class F, class R>
  TRELLIS_INLINE auto reduce_lanes(Index begin, Index end, const F& f, const R& reducer) const {
    return backend::reduce_in_lanes(begin, end, f, reducer);
  }
  template <class F, class R>
  TRELLIS_INLINE auto reduce_all(Index begin, Index end, const F& f, const R& reducer) const {
    const auto [first, last] = part(begin, end);
    return join(reduce_lanes(first, last, f, reducer), reducer);
  }
  // Exclusive: calls f(i, sum of all before, true); returns the sum of all.
  template <class T, class F>
  T scan_threads(Index begin, Index end, const F& f) const {
    const auto [first, last] = part(begin, end);
    T before{};
    if (size_ > 1) {
      T own{};
      for (Index i = first; i < last; ++i) f(i, own, false);
      shared_->slot<T>(rank_) = own;
      team_barrier();
      for (int r = 0; r < rank_; ++r) before += shared_->slot<T>(r);
      team_barrier();
    }
    for (Index i = first; i < last; ++i) f(i, before, true);
    return broadcast(before, size_ - 1);
  }
  template <class T, class F>
  T scan_lanes(Index begin, Index end, const F& f) const {
    T before{};
    for (Index i = begin; i < end; ++i) f(i, before, true);
    return before;
  }
  // The value that the thread of this rank passes.
  template <class T>
  T broadcast(const T& value, int rank) const {
    if (size_ == 1) return value;
    if (rank_ == rank) shared_->slot<T>(0) = value;
    team_barrier();
    const T given = shared_->slot<T>(0);
    team_barrier();
    return given;
  }
  template <class T>
  T broadcast_lanes(const T& value) const {
    return value;
  }
  bool is_first_lane() const { return true; }

 private:
  struct Part {
    Index first, last;
  };
  TRELLIS_INLINE Part part(Index begin, Index end) const {
    if (size_ == 1 || end <= begin) return {begin, end};
    const Index length = end - begin;
    return {begin + length * rank_ / size_, begin + length * (rank_ + 1) / size_};
  }
  template <class T, class R>
  T join(const T& own, const R& reducer) const {
    if (size_ == 1) return own;
    shared_->slot<T>(rank_) = own;
    team_barrier();
    T total = reducer.identity();
    for (int r = 0; r < size_; ++r) reducer.join(total, shared_->slot<T>(r));
    team_barrier();
    return total;
  }

  Index league_rank_, league_size_;
  int rank_, size_;
  backend::TeamShared* shared_;
  mutable std::size_t used_ = 0;
};

namespace backend {

// What a team is in a space: hosts' here; others bring a specialisation.
template <class Exec>
struct TeamTraits {
  using Member = TeamMember;
  static constexpr int default_size = 1;
  static int largest_size() { return std::is_same_v<Exec, Serial> ? 1 : Exec::concurrency(); }
  static constexpr std::size_t largest_scratch = std::numeric_limits<std::size_t>::max();
};

}  // namespace backend
}  // namespace trellis
