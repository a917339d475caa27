// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The force on a single link has the same bits as in the computation for its tile.
#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/plaquette_force_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {
namespace {

template <class T, int W>
void by_tiles(const GaugeField<T, W>& u, const AlgebraField<T, W>& p) {
  const AddForcesOfTile<T, W> add{u.access(), p.access(), T(0.3)};
  for_each_tile("by tiles", u.lattice(), TRELLIS_KERNEL(int tile, int following) { add(tile, following); });
}
template <class T, int W>
void by_links(const GaugeField<T, W>& u, const AlgebraField<T, W>& p) {
  const AddForceOfLink<T, W> add{u.access(), p.access(), T(0.3)};
  for_each_link("by links", u.lattice(), TRELLIS_KERNEL(int tile, int mu) { add(tile, mu); });
}

template <class T, int W>
void expect_same_bits() {
  const GaugeField<T, W> u{Lattice({4, 4, 4, 8}, W)};
  hot_start({2026, 0, hot_start_purpose}, u);
  const AlgebraField<T, W> p(u.lattice());
  draw_momenta({2026, 0, momenta_purpose}, p);
  const auto before = create_mirror_view_and_copy(HostSpace{}, p.view());
  const HostView<T*> kept("momenta", before.size());
  std::copy(before.data(), before.data() + before.size(), kept.data());
  const auto q = p.clone();
  by_tiles(u, p);
  by_links(u, q);
  const auto tiles = create_mirror_view_and_copy(HostSpace{}, p.view());
  const auto links = create_mirror_view_and_copy(HostSpace{}, q.view());
  int moved = 0;
  for (Index n = 0; n < tiles.size(); ++n) {
    ASSERT_EQ(tiles.data()[n], links.data()[n]) << n;
    moved += tiles.data()[n] != kept.data()[n];
  }
  EXPECT_GT(moved, 0.99 * double(tiles.size()));
}

TEST(PlaquetteForce, OfALinkHasTheBitsOfItsTile) {
  expect_same_bits<double, 1>();
  expect_same_bits<double, test::wide>();
  expect_same_bits<float, test::wide>();
}

}  // namespace
}  // namespace trellis::gauge
