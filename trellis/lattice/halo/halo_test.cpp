// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/halo.hpp"

#include "tests/support/ghost_paths.hpp"
#include "trellis/core/simd/with_lanes.hpp"

namespace trellis {
namespace {

// One process with ghosts of its own sites.
struct Case {
  Coordinate size, ghosts, lane_grid;
};
int lanes_of(const Case& c) { return c.lane_grid[0] * c.lane_grid[1] * c.lane_grid[2] * c.lane_grid[3]; }
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Coordinate& ghosts : {Coordinate{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 1, 0}, {1, 1, 1, 1}}) {
    for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, {2, 4, 2, 6}}) all.push_back({size, ghosts, {1, 1, 1, 1}});
    for (const Coordinate& grid : {Coordinate{2, 2, 1, 1}, {1, 1, 2, 2}, {4, 1, 1, 1}, {1, 1, 1, 4}})
      all.push_back({{8, 4, 4, 8}, ghosts, grid});
    for (const Coordinate& grid : {Coordinate{2, 2, 2, 1}, {1, 2, 2, 2}, {4, 1, 1, 4}, {2, 2, 2, 2}})
      all.push_back({{8, 4, 4, 8}, ghosts, grid});
  }
  std::erase_if(all, [](const Case& c) {
    const auto& compiled = compiled_lane_counts();
    return std::find(compiled.begin(), compiled.end(), lanes_of(c)) == compiled.end();
  });
  return all;
}

class Ghosts : public ::testing::TestWithParam<Case> {
 protected:
  // f is a lambda with [&] even if it captures nothing: one with [] would convert to a function pointer, and nvcc warns
  // that the pointer's type does not depend on W.
  template <class F>
  void on_lattice(const F& f) {
    const Case& c = GetParam();
    with_lanes(lanes_of(c), [&]<int W>() {
      f.template operator()<W>(
          Lattice(c.size, W, SiteOrder::even_odd, {.lane_grid = c.lane_grid, .column = {}, .ghosts = c.ghosts}));
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Lattices, Ghosts, ::testing::ValuesIn(cases()), [](const auto& test) {
  std::string name;
  for (const int n : test.param.size) name += std::to_string(n) + "x";
  for (const int n : test.param.ghosts) name += std::to_string(n);
  name += "lanes";
  for (const int n : test.param.lane_grid) name += std::to_string(n);
  return name;
});

TEST_P(Ghosts, OfLinksHoldTheLinksOfTheirSites) {
  on_lattice([&]<int W>(const Lattice& lattice) { testing::expect_ghosts_of_links<double, W>(lattice); });
}

TEST_P(Ghosts, OfVectorsAreThereBeforeStencilsReadThem) {
  on_lattice([&]<int W>(const Lattice& lattice) {
    testing::expect_ghosts_of_vectors<float, W>(lattice, 1);
    testing::expect_ghosts_of_vectors<double, W>(lattice, 3);
    testing::expect_ghosts_of_vectors<Fixed16, W>(lattice, 2);
  });
}

TEST_P(Ghosts, TilesOfAParityAreVisitedOnce) {
  on_lattice([&]<int W>(const Lattice& lattice) {
    for (const int parity : {0, 1}) {
      const Halo& halo = lattice.halo();
      int count = halo.inside(parity).count + halo.at_edges(parity).count;
      for (int face = 0; face < 8; ++face) count += halo.at_face(parity, face).count;
      EXPECT_EQ(count, lattice.tiles() / 2);
    }
  });
}

TEST(GhostTiles, AreAsManyAsSurfacesHave) {
  const lattice_detail::GhostTiles ghosts({4, 6, 8, 2}, {1, 0, 0, 1});
  // Two faces each in x and t; four edges of x and t at (1, 1), (2, 1), (1, 2); the second layers of the faces.
  const int faces = 2 * 6 * 8 * (2 + 4), edges = 4 * 6 * 8 * 3;
  EXPECT_EQ(2 * ghosts.near, faces);
  EXPECT_EQ(2 * ghosts.count, 2 * faces + edges);
}

TEST(GhostTiles, WaysHaveNumbers) {
  for (int way = 0; way < lattice_detail::ways; ++way)
    EXPECT_EQ(lattice_detail::way_of(lattice_detail::signs_of(way)), way);
}

}  // namespace
}  // namespace trellis
