// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lane counts of single precision beside a lane count W of double precision: 2 W if the libraries were compiled for it,
// and W where not.

#include "trellis/core/with_lanes.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis {

template <int W>
constexpr int twice_the_lanes() {
  bool compiled = false;
#define TRELLIS_LANE_IS_TWICE(V) compiled = compiled || V == 2 * W;
  TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_IS_TWICE)
#undef TRELLIS_LANE_IS_TWICE
  return compiled ? 2 * W : W;
}

// f.template operator()<WS>(), WS twice W where the lattice divides into so many.
template <int W, class F>
auto with_single_lanes(const Coordinate& size, F&& f) {
  constexpr int twice = twice_the_lanes<W>();
  if constexpr (twice != W)
    if (Lattice::divides(size, twice)) return f.template operator()<twice>();
  return f.template operator()<W>();
}

}  // namespace trellis
