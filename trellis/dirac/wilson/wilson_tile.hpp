// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hops of one tile and vector as one function, whatever the format of the links: the sum of stencil/hop_sum.hpp
// behind a pointer. Its many variants are compiled once, and any code may follow the hops with the result at hand. The
// call costs a few nanoseconds; the hops of a tile take hundreds.

#include <cstddef>
#include <type_traits>

#include "trellis/dirac/stencil/hop_sum.hpp"
#include "trellis/dirac/wilson/wilson.hpp"

namespace trellis::dirac {

// tile_hops(tile, n, totals): totals[0] <- D in_n or D^dagger in_n on that tile of the opposite parity. Holds pointers
// to the links and to `in`, which must outlive it.
template <class T, int W>
class WilsonTile {
 public:
  using C = complex<lanes_t<arithmetic_t<T>, W>>;
  using Site = Spinor<C>;
  static constexpr const HopPattern& pattern = nearest_neighbours;
  static constexpr stencil::Takes takes = stencil::Takes::batches;
  static constexpr int at_once = 1;
  static constexpr bool whole_batches = true;
  static constexpr int least_blocks(bool) { return 0; }

  WilsonTile(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
             const PrefetchDistances& ahead = {});

  TRELLIS_INLINE void operator()(int tile, int n, Site (&totals)[1]) const { run_(sum_, tile, n, totals[0]); }

 private:
  template <class Sum>
  void set(const Sum& sum);

  alignas(16) std::byte sum_[192];
  void (*run_)(const std::byte* sum, int tile, int n, Site& total);
};

}  // namespace trellis::dirac
