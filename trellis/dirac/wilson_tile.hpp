// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hops of one tile and vector as one function, whatever the links' format: the kernel of wilson_kernel.hpp behind
// a pointer, so that its many variants are compiled once, and what follows the hops can be anything that has the
// result in hand. The call costs a few nanoseconds, where the hops of a tile take hundreds.

#include <cstddef>
#include <type_traits>

#include "trellis/dirac/wilson.hpp"

namespace trellis::dirac {

// tile_hops(tile, n, total): total <- D in_n or D^dagger in_n on that tile of the other parity. Holds pointers to the
// links and to `in`, which must outlive it.
template <class T, int W>
class WilsonTile {
 public:
  using C = complex<lanes_t<arithmetic_t<T>, W>>;
  static constexpr int at_once = 1, least_blocks = 0;  // see WilsonPass

  WilsonTile(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
             const PrefetchDistances& ahead = {});

  TRELLIS_INLINE void operator()(int tile, int n, Spinor<C>& total) const { run_(kernel_, tile, n, total); }
  TRELLIS_INLINE void operator()(int tile, int n, Spinor<C> (&total)[1]) const { run_(kernel_, tile, n, total[0]); }

 private:
  template <class Kernel>
  void set(const Kernel& kernel);

  alignas(16) std::byte kernel_[192];
  void (*run_)(const std::byte* kernel, int tile, int n, Spinor<C>& total);
};

}  // namespace trellis::dirac
