// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge fields to and from the plain configurations of the oracle, and every compiled lane count in turn.

#include <algorithm>

#include "reference/gauge.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::test {

template <class T, int W>
GaugeField<T, W> from_reference(const reference::GaugeConfiguration& c, SiteOrder order = SiteOrder::even_odd) {
  const Lattice lattice(c.size, W, order);
  const GaugeField<T, W> u(lattice);
  const auto host = create_mirror_view(HostSpace{}, u.view());
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const std::int64_t site = lattice.index(lattice.coordinate(n));
    for (int mu = 0; mu < 4; ++mu)
      for (int k = 0; k < 9; ++k) {
        host(site, mu, k / 3, k % 3, 0) = T(c.links[4 * n + mu][k].real());
        host(site, mu, k / 3, k % 3, 1) = T(c.links[4 * n + mu][k].imag());
      }
  }
  deep_copy(u.view(), host);
  return u;
}

template <class T, int W>
reference::GaugeConfiguration to_reference(const GaugeField<T, W>& u) {
  const Lattice& lattice = u.lattice();
  reference::GaugeConfiguration c(lattice.size());
  const auto host = create_mirror_view_and_copy(HostSpace{}, u.view());
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const std::int64_t site = lattice.index(lattice.coordinate(n));
    for (int mu = 0; mu < 4; ++mu)
      for (int k = 0; k < 9; ++k)
        c.links[4 * n + mu][k] = {double(host(site, mu, k / 3, k % 3, 0)), double(host(site, mu, k / 3, k % 3, 1))};
  }
  return c;
}

// Largest distance between corresponding links.
inline double distance(const reference::GaugeConfiguration& a, const reference::GaugeConfiguration& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.links.size(); ++n)
    largest = std::max(largest, reference::distance(a.links[n], b.links[n]));
  return largest;
}

// f.template operator()<W>() for each compiled lane count that divides the lattice.
template <class T = double, class F>
void for_each_lane_count(const Coordinate& size, F&& f) {
  for (const int lanes : compiled_lane_counts<T>())
    if (Lattice::divides(size, lanes)) with_lanes<T>(lanes, f);
}

}  // namespace trellis::test
