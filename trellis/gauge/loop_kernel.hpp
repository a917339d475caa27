// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Traces of loops that start at the sites of one tile, in registers.

#include "trellis/gauge/staple.hpp"

namespace trellis::gauge {

// Re tr P of the plaquette in plane mu nu at the tile's sites.
template <class T, int W>
TRELLIS_INLINE lanes_t<T, W> plaquette_trace(const GaugeAccess<T, W>& u, int tile, int mu, int nu) {
  const Neighbours& next = u.neighbours;
  return real_trace_adjoint(u.link(tile, mu) * u.link(next(tile, mu), nu),
                            u.link(tile, nu) * u.link(next(tile, nu), mu));
}

// Re tr R of the rectangle two steps along mu and one along nu.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> rectangle_trace(const GaugeAccess<T, W>& u, int tile, int mu, int nu) {
  const Neighbours& next = u.neighbours;
  const Hop ahead = next(tile, mu), up = next(tile, nu);
  const auto below = u.link(tile, mu) * (u.link(ahead, mu) * u.link(next(ahead, mu), nu));
  const auto above = u.link(tile, nu) * (u.link(up, mu) * u.link(next(up, mu), mu));
  return real_trace_adjoint(below, above);
}

}  // namespace trellis::gauge
