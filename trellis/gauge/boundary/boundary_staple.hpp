// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staples of links at a boundary in time, in registers.

#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/staple.hpp"

namespace trellis::gauge {

// V of the loops of a set through U_mu(x), with their weights (staple.hpp).
template <class T, int W>
TRELLIS_NOINLINE Matrix<lanes_t<T, W>> boundary_staple(const GaugeAccess<T, W>& u, int tile, int mu, StapleSet set,
                                                       LoopWeights weights) {
  using S = lanes_t<T, W>;
  const Hop here{tile, 0};
  const bool in_space = set == StapleSet::in_space;
  const S plaquette = S(T(weights.plaquette));
  Matrix<S> v = Matrix<S>::zero();
  for (int nu = in_space ? 0 : 3; nu < (in_space ? 3 : 4); ++nu) {
    if (nu == mu) continue;
    const bool above = set != StapleSet::backward_in_time, below = set != StapleSet::forward_in_time;
    if (weights.rectangle != 0) {
      if (above) staple_detail::add_above(u, here, mu, nu, weights, v);
      if (below) staple_detail::add_below(u, here, mu, nu, weights, v);
    } else {
      if (above) v = fma(plaquette, staple_detail::forward_staple(u, here, mu, nu), v);
      if (below) v = fma(plaquette, staple_detail::backward_staple(u, here, mu, nu), v);
    }
  }
  return v;
}

}  // namespace trellis::gauge
