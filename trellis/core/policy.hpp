// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Policies: which indices a kernel runs over, and in which execution space.
//   RangePolicy<Exec>(begin, end)                            begin <= i < end, for a functor f(i)
//   MDRangePolicy<Exec, Rank<N>>({b0, ...}, {e0, ...}, {t0, ...})   b_r <= i_r < e_r, N from 2 to 6, for
//                                                            f(i0, ..., iN-1)
// A multidimensional range is cut into tiles of t0 x t1 x ... indices, which are distributed to threads; a tile is
// finished before the next one begins. Within and among tiles the last index runs fastest, with Rank<N, Iterate::Left>
// the first. By default a tile is one full line of the fastest index on a host, 32 x 8 of the two fastest on a GPU. A
// range with end <= begin is empty. Further template parameters are a schedule, launch bounds and a work tag
// (policy/policy_properties.hpp). Throws Error if a tile extent is below 1 or larger than its range, and on a GPU if
// a tile has more than 1024 indices.

#include <algorithm>
#include <array>
#include <utility>

#include "trellis/core/config.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/policy/policy_properties.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

// What backends need of a policy: space(), work(), the number of units to divide, and run(first, last, f), which calls
// f for all indices of the units first <= u < last, in order. run<true> tells the compiler that the calls of f for
// different indices are independent, which holds when threads share out indices and nothing is summed.
template <ExecutionSpace Exec = DefaultExecutionSpace, class... Properties>
class RangePolicy : public PolicyProperties<RangePolicy<Exec, Properties...>, Properties...> {
 public:
  using execution_space = Exec;

  RangePolicy(Index begin, Index end) : begin_(begin), end_(end) {}
  RangePolicy(const Exec& space, Index begin, Index end) : space_(space), begin_(begin), end_(end) {}

  const Exec& space() const { return space_; }
  TRELLIS_FUNCTION Index begin() const { return begin_; }
  TRELLIS_FUNCTION Index end() const { return end_; }
  TRELLIS_FUNCTION Index work() const { return end_ > begin_ ? end_ - begin_ : 0; }

  TRELLIS_EITHER_SIDE
  template <bool Independent = false, class F>
  TRELLIS_FUNCTION void run(Index first, Index last, const F& f) const {
    const Index stop = begin_ + last;
    if constexpr (Independent) {
      TRELLIS_INDEPENDENT_LOOP
      for (Index i = begin_ + first; i < stop; ++i) f(i);
    } else {
      for (Index i = begin_ + first; i < stop; ++i) f(i);
    }
  }

 private:
  Exec space_{};
  Index begin_;
  Index end_;
};

enum class Iterate { Right, Left };  // which index runs fastest: the last or the first

template <int N, Iterate Order = Iterate::Right>
struct Rank {
  static_assert(N >= 2 && N <= 6, "MDRangePolicy has ranks 2 to 6");
  static constexpr int value = N;
  static constexpr Iterate order = Order;
};

template <ExecutionSpace Exec = DefaultExecutionSpace, class... Properties>
class TeamPolicy;  // team_policy.hpp

template <ExecutionSpace Exec, class R, class... Properties>
class MDRangePolicy : public PolicyProperties<MDRangePolicy<Exec, R, Properties...>, Properties...> {
 public:
  using execution_space = Exec;
  using rank_type = R;
  static constexpr int rank = R::value;
  using Indices = std::array<Index, rank>;

  MDRangePolicy(const Indices& begin, const Indices& end) : MDRangePolicy(Exec{}, begin, end) {}
  MDRangePolicy(const Indices& begin, const Indices& end, const Indices& tile)
      : MDRangePolicy(Exec{}, begin, end, tile) {}
  MDRangePolicy(const Exec& space, const Indices& begin, const Indices& end)
      : MDRangePolicy(space, begin, end, default_tile(begin, end)) {}
  MDRangePolicy(const Exec& space, const Indices& begin, const Indices& end, const Indices& tile) : space_(space) {
    Index indices_in_tile = 1;
    for (int r = 0; r < rank; ++r) {
      const Index extent = end[r] > begin[r] ? end[r] - begin[r] : 0;
      if (tile[r] < 1) fail("MDRangePolicy: tile extent {} of dimension {}; it must be at least 1", tile[r], r);
      if (extent > 0 && tile[r] > extent) {
        fail("MDRangePolicy: tile extent {} of dimension {} is larger than its range of {}", tile[r], r, extent);
      }
      indices_in_tile *= tile[r];
      begin_[r] = begin[r];
      end_[r] = end[r];
      tile_[r] = tile[r];
      tiles_[r] = (extent + tile[r] - 1) / tile[r];
    }
    if (!can_access<Exec, HostSpace> && indices_in_tile > max_tile_on_device) {
      fail("MDRangePolicy: a tile of {} indices; {} allows {}", indices_in_tile, Exec::name, max_tile_on_device);
    }
  }

  const Exec& space() const { return space_; }
  TRELLIS_FUNCTION Index begin(int r) const { return begin_[r]; }
  TRELLIS_FUNCTION Index end(int r) const { return end_[r]; }
  TRELLIS_FUNCTION Index tile(int r) const { return tile_[r]; }
  TRELLIS_FUNCTION Index tiles(int r) const { return tiles_[r]; }
  TRELLIS_FUNCTION Index work() const {
    Index product = 1;
    for (int r = 0; r < rank; ++r) product *= tiles_[r];
    return product;
  }
  TRELLIS_FUNCTION Index tile_size() const {
    Index product = 1;
    for (int r = 0; r < rank; ++r) product *= tile_[r];
    return product;
  }

  TRELLIS_EITHER_SIDE
  template <bool Independent = false, class F>
  TRELLIS_FUNCTION void run(Index first, Index last, const F& f) const {
    if (first >= last) return;
    Index low[rank], high[rank];
    bounds(first, low, high);
    for (Index unit = first;;) {
      loop<Independent, 0>(low, high, f);
      if (++unit == last) return;
      to_next_tile(low, high);
    }
  }

  // The corners low <= i < high of tile `unit`.
  TRELLIS_FUNCTION void bounds(Index unit, Index* low, Index* high) const {
    for (int k = rank - 1; k >= 0; --k) {
      const int r = dimension(k);
      low[r] = begin_[r] + unit % tiles_[r] * tile_[r];
      high[r] = low[r] + tile_[r] < end_[r] ? low[r] + tile_[r] : end_[r];
      unit /= tiles_[r];
    }
  }

  // Moves from the corners of a tile to those of the next, since bounds() needs divisions.
  TRELLIS_FUNCTION void to_next_tile(Index* low, Index* high) const {
    for (int k = rank - 1; k >= 0; --k) {
      const int r = dimension(k);
      const bool wraps = high[r] >= end_[r];
      low[r] = wraps ? begin_[r] : high[r];
      high[r] = low[r] + tile_[r] < end_[r] ? low[r] + tile_[r] : end_[r];
      if (!wraps) return;
    }
  }

  // The dimension at depth k of the loop nest: 0 outermost.
  TRELLIS_FUNCTION static constexpr int dimension(int k) { return R::order == Iterate::Right ? k : rank - 1 - k; }

 private:
  static constexpr Index max_tile_on_device = 1024;

  // One line on a host; 32 by 8 on a GPU, so that neighbours in two dimensions share cache lines.
  static Indices default_tile(const Indices& begin, const Indices& end) {
    constexpr Index on_device[2] = {32, 8};
    Indices tile;
    tile.fill(1);
    for (int k = 0; k < 2; ++k) {
      const int r = dimension(rank - 1 - k);
      const Index extent = std::max<Index>(1, end[r] - begin[r]);
      if (!can_access<Exec, HostSpace>) tile[r] = std::min(on_device[k], extent);
      if (can_access<Exec, HostSpace> && k == 0) tile[r] = extent;
    }
    return tile;
  }

  // Loops over the dimensions at depth K and below; i holds the indices of those above, in loop order.
  TRELLIS_EITHER_SIDE
  template <bool Independent, int K, class F, class... I>
  TRELLIS_INLINE static void loop(const Index* low, const Index* high, const F& f, I... i) {
    constexpr int r = dimension(K);
    const Index stop = high[r];
    if constexpr (K + 1 < rank) {
      for (Index at = low[r]; at < stop; ++at) {
        if constexpr (R::order == Iterate::Right) {
          loop<Independent, K + 1>(low, high, f, i..., at);
        } else {
          loop<Independent, K + 1>(low, high, f, at, i...);
        }
      }
    } else if constexpr (Independent) {
      TRELLIS_INDEPENDENT_LOOP
      for (Index at = low[r]; at < stop; ++at) last_index(f, at, i...);
    } else {
      for (Index at = low[r]; at < stop; ++at) last_index(f, at, i...);
    }
  }
  TRELLIS_EITHER_SIDE
  template <class F, class... I>
  TRELLIS_INLINE static void last_index(const F& f, Index at, I... i) {
    if constexpr (R::order == Iterate::Right) {
      f(i..., at);
    } else {
      f(at, i...);
    }
  }

  Exec space_{};
  Index begin_[rank];
  Index end_[rank];
  Index tile_[rank];
  Index tiles_[rank];
};

}  // namespace trellis
