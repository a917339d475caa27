// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The colour vector at the end of a hop, for kernels that read links and vectors as fields keep them.

#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac {

// Number n of x; from.tile counts from the first tile of x's parity. neighbours: any that know the lanes of the
// lattice. A thread reads from the lane it wants; a register is permuted.
template <class T, int W, class Neighbours>
TRELLIS_INLINE auto neighbour_vector(const ParityAccess<T, 6, W>& x, Hop from, int n, const Neighbours& neighbours) {
  using S = lanes_t<T, W>;
  if constexpr (W > 1 && simd_detail::is_own_lane<S>) {
    return x.load_vector(x.at(from.tile, n) + lane_group * neighbours.template displacement<S>(from.shift));
  } else {
    ColourVector<S> v = x.vector(from.tile, n);
    if (from.shift != 0) [[unlikely]]
      for (auto& e : v.e) e = permute(e, neighbours.permutation(from.shift));
    return v;
  }
}

}  // namespace trellis::dirac
