// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/ghost_count.hpp"

#include <gtest/gtest.h>

#include "trellis/lattice/halo/ghosts.hpp"

namespace trellis::bench {
namespace {

// The same numbers as the lattice's own.
TEST(GhostCount, IsThatOfTheLattice) {
  for (const Coordinate& cut : {Coordinate{0, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 0}, {1, 1, 1, 1}, {0, 0, 0, 0}}) {
    const Coordinate block{4, 6, 2, 8};
    const lattice_detail::GhostTiles ghosts(block, cut);
    Coordinate grid;
    for (std::size_t mu = 0; mu < 4; ++mu) grid[mu] = cut[mu] + 1;
    const GhostCount count(block, grid);
    EXPECT_EQ(count.near, 2 * ghosts.near);
    EXPECT_EQ(count.all(), 2 * ghosts.count);
    double corners = 0;
    for (const Coordinate& x : ghosts.places)
      corners += lattice_detail::reach_of(lattice_detail::steps_out(x, block)) == 2;
    EXPECT_EQ(count.corners, corners);
  }
}

TEST(GhostCount, OfAnExchange) {
  const GhostCount count({8, 8, 4, 4}, {1, 1, 2, 2});
  EXPECT_EQ(count.faces, 4);
  EXPECT_EQ(count.edges, 4);
  const double slice = 8 * 8 * 4;
  EXPECT_EQ(count.sites({.bytes = 1, .of_parity = true}), 2 * slice);
  EXPECT_EQ(count.sites({.bytes = 1, .one_way = true}), 2 * slice);
  EXPECT_EQ(count.sites({.bytes = 1, .one_way = true, .of_parity = true}), slice);
  EXPECT_EQ(count.sites({.bytes = 1}), 4 * slice);
  EXPECT_EQ(count.sites({.bytes = 1, .reach = Reach::corners}), 4 * slice + 4 * 64);
  EXPECT_EQ(count.sites({.bytes = 1, .reach = Reach::two_steps}), 8 * slice + 12 * 64);
  EXPECT_EQ(count.messages({.bytes = 1, .of_parity = true}), 4);
  EXPECT_EQ(count.messages({.bytes = 1, .one_way = true, .of_parity = true}), 2);
  EXPECT_EQ(count.messages({.bytes = 1, .reach = Reach::two_steps}), 20);
  EXPECT_EQ(GhostCount({8, 8, 8, 8}, {1, 1, 1, 1}).all(), 0);
}

}  // namespace
}  // namespace trellis::bench
