// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staples at a boundary in time for sweeps that visit the links of one direction at a time.

#include "trellis/gauge/boundary/boundary_staple.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"

namespace trellis::gauge {

// The staples that a boundary adds to those of a tile's links in one direction: at most two sets (boundary_staples).
struct BoundaryOfSweep {
  static constexpr int most = 2;
  int count = 0;
  TimeSlice slices[most];
  StapleSet sets[most]{};
  BoundaryWeights weights[most];

  BoundaryOfSweep(const LoopWeights& scaled, const Boundary& boundary, const Lattice& lattice, int mu)
      : slices{{lattice, 0}, {lattice, 0}} {
    for (const BoundaryStaples& staples : boundary_staples(scaled, boundary, lattice.size())) {
      if (staples.of_time_links != (mu == 3) || staples.weights == BoundaryWeights{}) continue;
      slices[count] = TimeSlice(lattice, staples.slice);
      sets[count] = staples.set;
      weights[count++] = staples.weights;
    }
  }
};

template <class T, int W>
TRELLIS_NOINLINE void add_boundary_staples(const BoundaryOfSweep& boundary, const GaugeAccess<T, W>& u, int tile,
                                           int mu, Matrix<lanes_t<T, W>>& v) {
  using S = lanes_t<T, W>;
  for (int n = 0; n < boundary.count; ++n) {
    const mask_t<S> here = boundary.slices[n].template lanes_of<S>(tile);
    if (!any(here)) continue;
    const Matrix<S> more = v + boundary_staple(u, tile, mu, boundary.sets[n], boundary.weights[n]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v.e[i][j] = select(here, more.e[i][j], v.e[i][j]);
  }
}

}  // namespace trellis::gauge
