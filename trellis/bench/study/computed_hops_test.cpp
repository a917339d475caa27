// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/computed_hops.hpp"

#include <gtest/gtest.h>

namespace trellis::bench::study {
namespace {

template <int Parity>
void expect_same_as_table(const Lattice& lattice) {
  const int half = lattice.tiles() / 2;
  const Neighbours neighbours = lattice.neighbours();
  using Table = stencil::TableHops<complex<double>, 8, stencil::Factors::marked>;
  Table table;
  table.hops = neighbours.hops + 8 * Parity * half;
  table.exits = neighbours.exits + Parity * half;
  table.in_origin = (1 - Parity) * half;
  table.last = 8 * half - 1;
  ComputedHops<complex<double>, Parity> computed;
  static_cast<Table&>(computed) = table;
  computed.node = VirtualNode(lattice);
  for (int tile = 0; tile < half; ++tile) {
    ASSERT_EQ(computed.node.tile(computed.node.place(tile)), tile);
    for (int step = 0; step < 8; ++step) {
      const Hop expected = table(tile, step), found = computed(tile, step);
      ASSERT_EQ(found.tile, expected.tile) << tile << ' ' << step;
      ASSERT_EQ(found.shift, expected.shift) << tile << ' ' << step;
      if (step % 4 != 0) {
        ASSERT_EQ(computed.is_new(tile, step), table.is_new(tile, step)) << tile << ' ' << step;
      }
    }
  }
  for (int hop = 0; hop < 8 * half + 20; ++hop) ASSERT_EQ(computed.target(hop), table.target(hop)) << hop;
  ASSERT_FALSE(computed.is_new(half, 3));
}

TEST(ComputedHops, AreThoseOfTheTable) {
  struct Case {
    Coordinate size;
    int lanes;
    LatticeShape shape;
  };
  const Case cases[] = {{{2, 2, 2, 2}, 1, {}},
                        {{2, 4, 6, 8}, 1, {}},
                        {{2, 4, 6, 8}, 1, {.column = {2, 3}}},
                        {{6, 4, 8, 2}, 1, {.column = {1, 2}}},
                        {{2, 4, 6, 8}, 8, {}},
                        {{4, 8, 12, 4}, 4, {.lane_grid = {1, 1, 2, 2}, .column = {4, 2}}},
                        {{8, 8, 4, 4}, 8, {.lane_grid = {4, 1, 2, 1}, .column = {2, 1}}},
                        {{4, 4, 4, 8}, 32, {.lane_grid = {2, 2, 2, 4}}},
                        {{4, 12, 4, 4}, 3, {.lane_grid = {1, 3, 1, 1}, .column = {2, 4}}}};
  for (const Case& c : cases) {
    const Lattice lattice(c.size, c.lanes, SiteOrder::even_odd, c.shape);
    expect_same_as_table<0>(lattice);
    expect_same_as_table<1>(lattice);
  }
  EXPECT_THROW(VirtualNode(Lattice({4, 4, 4, 4}, 1, SiteOrder::even_odd, {.brick = {4, 2, 2, 2}})), Error);
}

}  // namespace
}  // namespace trellis::bench::study
