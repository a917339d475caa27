// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/hop_list.hpp"

#include "tests/support/pattern_hops.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/simd/with_lanes.hpp"

namespace trellis {
namespace {

// One process, with and without ghosts of its own sites, on the smallest possible lattices: hops wrap around several
// times.
struct Case {
  Coordinate size, ghosts;
  int lanes;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Coordinate& size : {Coordinate{2, 2, 2, 2}, {4, 4, 4, 4}, {2, 4, 2, 6}, {8, 4, 4, 8}})
    for (const Coordinate& ghosts : {Coordinate{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 1, 1}})
      for (const int lanes : compiled_lane_counts<double>())
        if (Lattice::divides(size, lanes)) all.push_back({size, ghosts, lanes});
  return all;
}

class Hops : public ::testing::TestWithParam<Case> {
 protected:
  // f is a lambda with [&] even if it captures nothing: one with [] would convert to a function pointer, and nvcc warns
  // that the pointer's type does not depend on W.
  template <class F>
  void on_lattices(const F& f) {
    const Case& c = GetParam();
    for (const int reach : {1, 2, 3})
      with_lanes(c.lanes, [&]<int W>() {
        f.template operator()<W>(Lattice(c.size, W, SiteOrder::even_odd, {.ghosts = c.ghosts, .vector_reach = reach}));
      });
  }
};
INSTANTIATE_TEST_SUITE_P(Lattices, Hops, ::testing::ValuesIn(cases()), [](const auto& test) {
  std::string name;
  for (const int n : test.param.size) name += std::to_string(n) + "x";
  for (const int n : test.param.ghosts) name += std::to_string(n);
  return name + "lanes" + std::to_string(test.param.lanes);
});

TEST_P(Hops, BringTheNumbersOfTheirSites) {
  on_lattices([&]<int W>(const Lattice& lattice) { testing::expect_patterns<W>(lattice); });
}

// The place of an own tile in the block: the coordinates of its site in the first lane.
Coordinate in_block(const Lattice& lattice, int tile) {
  std::int64_t sites[64];
  lattice.sites(tile, sites);
  return lattice.coordinate(sites[0]);
}

TEST_P(Hops, SortTilesByTheGhostsTheyLeadInto) {
  if constexpr (!fields_on_host) GTEST_SKIP() << "lists are where kernels run";
  on_lattices([&]<int W>(const Lattice& lattice) {
    if (!lattice.has_ghosts()) return;
    testing::for_each_pattern(lattice.vector_reach(), [&]<int Count>(const HopPattern& pattern) {
      const TileSets& sets = lattice.halo().tiles(pattern);
      for (const int parity : {0, 1}) {
        const auto waits_for = [&](int tile) {
          const Coordinate x = in_block(lattice, lattice.first_tile(parity) + tile);
          std::set<int> faces;
          for (const auto& [step, distance] : pattern.all()) {
            const int mu = step % 4, to = x[std::size_t(mu)] + (step < 4 ? distance : -distance);
            const bool out = to < 0 || to >= lattice.block()[std::size_t(mu)];
            if (lattice.ghost_directions()[std::size_t(mu)] == 1 && out) faces.insert(step);
          }
          return faces;
        };
        std::set<int> seen;
        const auto expect_set = [&](const TileSet& set, const auto& is_right) {
          for (int n = 0; n < set.count; ++n) {
            EXPECT_TRUE(seen.insert(set.list[n]).second);
            EXPECT_TRUE(is_right(waits_for(set.list[n])));
          }
        };
        expect_set(sets.inside(parity), [](const std::set<int>& faces) { return faces.empty(); });
        for (int face = 0; face < 8; ++face)
          expect_set(sets.at_face(parity, face), [&](const std::set<int>& faces) { return faces == std::set{face}; });
        expect_set(sets.at_edges(parity), [](const std::set<int>& faces) { return faces.size() > 1; });
        EXPECT_EQ(int(seen.size()), lattice.tiles() / 2);
        EXPECT_EQ(sets.inside(parity).count + sets.at_surface(parity).count, lattice.tiles() / 2);
      }
      const auto expect_both = [&](const TileSet& set, const auto& of_parity) {
        std::multiset<int> expected, found(set.list, set.list + set.count);
        for (const int parity : {0, 1})
          for (int n = 0; n < of_parity(parity).count; ++n)
            expected.insert(lattice.first_tile(parity) + of_parity(parity).list[n]);
        EXPECT_EQ(found, expected);
      };
      expect_both(sets.all_inside(), [&](int parity) { return sets.inside(parity); });
      expect_both(sets.all_at_surface(), [&](int parity) { return sets.at_surface(parity); });
    });
  });
}

// Any mixture of hops, even to both parities, as long as no vectors of one parity are involved.
TEST(HopLists, LeadWhereCoordinatesDo) {
  constexpr HopPattern pattern = straight_hops({3, 1, 2});
  for (const SiteOrder order : {SiteOrder::even_odd, SiteOrder::lexicographic})
    for (const Coordinate& size : {Coordinate{2, 2, 2, 2}, {4, 2, 6, 4}, {8, 4, 4, 4}})
      for (const int lanes : {1, 2, 4, 8, 16}) {
        if (!Lattice::divides(size, lanes)) continue;
        const Lattice lattice(size, lanes, order);
        const HopList list(lattice, pattern);
        const auto hops = list.host_hops<pattern.count>();
        for (std::int64_t n = 0; n < lattice.volume(); ++n) {
          const Coordinate x = lattice.coordinate(n);
          const auto tile = int(lattice.index(x) / lanes), lane = int(lattice.index(x) % lanes);
          for (int k = 0; k < pattern.count; ++k) {
            const Hop hop = hops(tile, k);
            ASSERT_EQ(hop.tile * std::int64_t(lanes) + hops.permutation(hop.shift)[lane],
                      lattice.index(testing::moved(lattice, x, pattern.hops[std::size_t(k)])));
          }
        }
      }
}

TEST(HopLists, OfNearestNeighboursAreTheLatticesOwn) {
  const Lattice lattice({4, 4, 4, 4}, 1, SiteOrder::even_odd, {.ghosts = {0, 1, 0, 1}});
  const HopList list(lattice);
  EXPECT_EQ(list.hops<8>().hops, lattice.neighbours().hops);
  EXPECT_EQ(list.host_hops<8>().hops, lattice.host_neighbours().hops);
  EXPECT_THROW(list.hops<16>(), Error);
}

// An operator of one step sends one layer, however deep the ghosts are.
TEST(HopLists, GhostsAreFilledAsDeepAsHopsReach) {
  const Coordinate size{4, 4, 4, 8}, cut{0, 1, 0, 1};
  const Lattice lattice(size, 1, SiteOrder::even_odd, {.ghosts = cut, .vector_reach = 3});
  for (const HopPattern& pattern : {nearest_neighbours, second_neighbours, naik_neighbours}) {
    const auto field = testing::random_vectors<1>(lattice, 1, 1);
    exchange_vectors(field, Faces::all, reach_of(pattern));
    const auto numbers = create_mirror_view_and_copy(HostSpace{}, field.view());
    const int first = lattice.tiles() / 2, faces = (2 * 4 * 4 * 8 + 2 * 4 * 4 * 4) / 2;
    EXPECT_EQ(lattice.parity_places(), first + 3 * faces);
    for (int tile = first; tile < first + 3 * faces; ++tile)
      EXPECT_EQ(numbers.data()[6 * tile] != 0, tile < first + pattern.reach() * faces) << tile;
  }
}

TEST(HopLists, WhatIsNotPossibleIsAnError) {
  const Coordinate size{4, 4, 4, 4};
  const LatticeShape shape{.ghosts = {0, 0, 0, 1}};
  for (const int reach : {-1, 0, 4})
    EXPECT_THROW(Lattice(size, 1, SiteOrder::even_odd, {.vector_reach = reach}), InputError);
  const Lattice alone(size), near(size, 1, SiteOrder::even_odd, shape);
  EXPECT_NO_THROW(HopList(alone, naik_neighbours));
  EXPECT_THROW(HopList(near, naik_neighbours), InputError);
  EXPECT_THROW(near.halo().tiles(second_neighbours), InputError);
  for (const PatternHop& hop : {PatternHop{8, 1}, {-1, 1}, {0, 0}, {0, 4}}) {
    HopPattern pattern;
    pattern.hops[std::size_t(pattern.count++)] = hop;
    EXPECT_THROW(HopList(alone, pattern), InputError);
  }
  EXPECT_THROW(HopList(alone, HopPattern{}), InputError);
  EXPECT_EQ(parity_after(naik_neighbours, 0), 1);
  EXPECT_EQ(parity_after(second_neighbours, 0), 0);
  EXPECT_THROW(parity_after(straight_hops({1, 2}), 0), InputError);
  const auto field = testing::random_vectors<1>(near, 0, 1);
  EXPECT_THROW(exchange_vectors(field, Faces::all, Reach::three_steps), Error);
  EXPECT_FALSE(alone == Lattice(size, 1, SiteOrder::even_odd, {.vector_reach = 3}));
}

}  // namespace
}  // namespace trellis
