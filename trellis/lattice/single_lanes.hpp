// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lane counts of single precision to go with a lane count W of double precision: 2 W if the libraries were compiled for
// it, otherwise W.

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis {

// f.template operator()<WS>(), where WS is 2 W if the lattice divides into that many.
template <int W, class F>
auto with_single_lanes(const Coordinate& size, F&& f) {
  constexpr int twice = has_lane_count<float>(2 * W) ? 2 * W : W;
  if constexpr (twice != W)
    if (Lattice::divides(size, twice)) return f.template operator()<twice>();
  return f.template operator()<W>();
}

// The same lattice with another lane count, for fields in single precision beside those in double; in the order that
// `shape` says, which may be a tuned one.
inline Lattice with_lane_count(const Lattice& lattice, int lanes, LatticeShape shape = {}) {
  shape.directions = lattice.directions();
  shape.ghosts = lattice.ghost_directions();
  shape.vector_reach = lattice.vector_reach();
  return Lattice(lattice.size(), lanes, SiteOrder::even_odd, shape, lattice.grid());
}

}  // namespace trellis
