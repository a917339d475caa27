// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Configurations of the oracle with boundaries in time, and links as quarks there see them.

#include "reference/stout.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"

namespace trellis::test {

// One of each kind, on four to six time slices. In the last one a slice is not used.
inline const gauge::Boundary open_boundary{.kind = gauge::BoundaryKind::open};
inline gauge::Boundary schroedinger_functional(int extent) {
  return {.kind = gauge::BoundaryKind::schroedinger_functional,
          .extent = extent,
          .phi = {-1, 0.2, 0.8},
          .phi_prime = {-3, 1, 2}};
}

inline reference::GaugeConfiguration with_boundary(const reference::GaugeConfiguration& u,
                                                   const gauge::Boundary& boundary) {
  const auto links = from_reference<double, 1>(u);
  gauge::impose_boundary(boundary, links);
  return to_reference(links);
}

// Zero where a hop of so many steps along the link would leave the slices first to last.
inline reference::GaugeConfiguration without_hops(reference::GaugeConfiguration u, int first, int last, int steps = 1) {
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      const int from = u.site(n)[3], to = from + (mu == 3 ? steps : 0);
      if (from < first || to > last) u.links[std::size_t(4 * n + mu)] = {};
    }
  return u;
}
// Those of staggered quarks.
inline reference::GaugeConfiguration staggered_hops(const reference::GaugeConfiguration& u,
                                                    const gauge::Boundary& boundary, int steps = 1) {
  if (boundary.is_periodic()) return u;
  return boundary.kind == gauge::BoundaryKind::open ? without_hops(u, 0, u.size[3] - 1, steps)
                                                    : without_hops(u, 1, boundary.extent - 1, steps);
}

// Stout links, of which those that a boundary takes from the variables stay as they are.
inline reference::GaugeConfiguration stout_with_boundary(reference::GaugeConfiguration u, double rho, int levels,
                                                         const gauge::Boundary& boundary) {
  for (int level = 0; level < levels; ++level) u = with_boundary(reference::stout(u, rho), boundary);
  return u;
}

}  // namespace trellis::test
