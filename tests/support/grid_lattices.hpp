// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lattices on process grids of all ranks of a test, and on one rank with ghosts of its own sites: results on them must
// have the same bits as on a single process.

#include <gtest/gtest.h>

#include "tests/support/grids.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::testing {

// f.template operator()<W>(lattice) for some grids, and the compiled lane counts that fit.
template <class F>
void on_lattices(const Coordinate& size, const F& f, std::size_t most_grids = 3) {
  std::vector<std::pair<comm::ProcessGrid, LatticeShape>> ways;
  const auto grids = grids_of(size);  // from slabs in t, if there are any, to blocks cut in x, y and z
  const std::size_t count = std::min(most_grids, grids.size());
  for (std::size_t k = 0; k < count; ++k)
    ways.push_back({grids[count == 1 ? 0 : k * (grids.size() - 1) / (count - 1)], {}});
  if (comm::Communicator::world().size() == 1)
    for (const Coordinate& ghosts : {Coordinate{0, 0, 0, 1}, {1, 1, 1, 1}, {0, 1, 0, 1}})
      ways.push_back({ways[0].first, {.ghosts = ghosts}});
  for (const auto& [grid, shape] : ways)
    for (const int lanes : compiled_lane_counts()) {
      if (!Lattice::divides(grid.local(size), lanes)) continue;
      const Coordinate& g = shape.ghosts;
      SCOPED_TRACE(
          fmt::format("{} ranks, ghosts {}{}{}{}, {} lanes", to_string(grid.extents()), g[0], g[1], g[2], g[3], lanes));
      with_lanes(lanes, [&]<int W>() { f.template operator()<W>(Lattice(size, W, SiteOrder::even_odd, shape, grid)); });
    }
}

// This rank's links of a field that is defined on a single-process lattice.
template <class T, int W, int V>
void expect_same_links(const GaugeField<T, W>& u, const GaugeField<T, V>& alone, const char* what) {
  const Lattice& lattice = u.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu)
      ASSERT_EQ(u.link(x, mu), alone.link(x, mu)) << what << ": site " << n << " mu " << mu;
  }
}
template <class T, int W, int V>
void expect_same_momenta(const AlgebraField<T, W>& p, const AlgebraField<T, V>& alone, const char* what) {
  const Lattice& lattice = p.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(p.at(x, mu), alone.at(x, mu)) << what << ": site " << n << " mu " << mu;
  }
}

}  // namespace trellis::testing
