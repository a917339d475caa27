// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Compared with a loop over all links, site by site.
#include "trellis/gauge/heatbath/coloured_tiles.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/reference_links.hpp"

namespace trellis::gauge {
namespace {

template <class T>
std::vector<T> on_host(const T* data, std::size_t count) {
  std::vector<T> copy(count);
  if (count > 0) copy_bytes(HostSpace{}, copy.data(), FieldMemory{}, data, count * sizeof(T));
  return copy;
}

void expect_all_links(const Lattice& lattice, bool rectangles) {
  const LinkColours colours(lattice.size(), rectangles);
  const ColouredTiles found(lattice, colours);
  ASSERT_EQ(found.colours(), colours.count());
  const int lanes = lattice.lanes();
  const auto table = on_host(found.colours_of_links(), 4 * std::size_t(lattice.volume()));
  std::set<std::int32_t> expected[4][8];
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      const Coordinate x = lattice.coordinate(n);
      const std::int64_t place = lattice.index(x), tile = place / lanes;
      ASSERT_EQ(table[std::size_t((4 * tile + mu) * lanes + place % lanes)], colours(x, mu)) << n << " " << mu;
      expected[mu][colours(x, mu)].insert(static_cast<std::int32_t>(tile));
    }
  std::size_t all = 0;
  for (int mu = 0; mu < 4; ++mu)
    for (int c = 0; c < colours.count(); ++c) {
      const auto list = on_host(found.list(mu, c), std::size_t(found.tiles(mu, c)));
      EXPECT_EQ(list, std::vector<std::int32_t>(expected[mu][c].begin(), expected[mu][c].end())) << mu << " " << c;
      all += list.size();
    }
  EXPECT_EQ(found.mixed(), all > 4 * std::size_t(lattice.tiles()));
}

TEST(ColouredTiles, HoldEveryLinkOnce) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{8, 6, 4, 12}, Coordinate{4, 16, 4, 10}})
    for (const SiteOrder order : {SiteOrder::even_odd, SiteOrder::lexicographic})
      test::for_each_lane_count(size, [&]<int W>() {
        expect_all_links(Lattice(size, W, order), false);
        expect_all_links(Lattice(size, W, order), true);
      });
}

TEST(ColouredTiles, AreMixedWhereBlocksAreNoMultipleOfTheColours) {
  const LatticeShape split_in_t{{1, 1, 1, 2}, {}};
  for (const int extent : {8, 12}) {  // blocks of 4, and two blocks of 3
    const Coordinate size{4, 4, 4, extent};
    EXPECT_FALSE(ColouredTiles(Lattice(size, 2, SiteOrder::even_odd, split_in_t), LinkColours(size, true)).mixed());
  }
  const Coordinate size{4, 4, 4, 20};  // blocks of 10
  EXPECT_TRUE(ColouredTiles(Lattice(size, 2, SiteOrder::even_odd, split_in_t), LinkColours(size, true)).mixed());
  EXPECT_FALSE(ColouredTiles(Lattice(size, 2, SiteOrder::even_odd, split_in_t), LinkColours(size, false)).mixed());
}

// Around the torus, and with as many sites as the lattice has in some directions.
TEST(ColouredTiles, HoldTheLinksOfABox) {
  const Coordinate size{8, 4, 6, 4};
  for (const Box& box : {Box{{7, 0, 0, 0}, {2, 1, 1, 1}}, Box{{6, 3, 5, 0}, {4, 3, 3, 4}}, whole_lattice(size)})
    for (const bool rectangles : {false, true})
      test::for_each_lane_count(size, [&]<int W>() {
        const Lattice lattice(size, W);
        const LinkColours colours(size, rectangles);
        const ColouredTiles found(lattice, colours, box);
        const auto table = on_host(found.colours_of_links(), 4 * std::size_t(lattice.volume()));
        std::set<std::int32_t> expected[4][8];
        std::int64_t inside = 0;
        for (std::int64_t n = 0; n < lattice.volume(); ++n) {
          const Coordinate x = lattice.coordinate(n);
          bool is_inside = true;
          for (std::size_t mu = 0; mu < 4; ++mu)
            is_inside = is_inside && (x[mu] - box.first[mu] + size[mu]) % size[mu] < box.extents[mu];
          inside += is_inside;
          for (int mu = 0; mu < 4; ++mu) {
            const auto tile = lattice.index(x) / W;
            const int colour = table[std::size_t((4 * tile + mu) * W + lattice.index(x) % W)];
            if (is_inside) {
              ASSERT_EQ(colour, colours(x, mu));
              expected[mu][colour].insert(static_cast<std::int32_t>(tile));
            } else {
              ASSERT_GE(colour, colours.count());
            }
          }
        }
        EXPECT_EQ(inside, box.volume());
        std::size_t most = 0;
        for (int mu = 0; mu < 4; ++mu)
          for (int c = 0; c < colours.count(); ++c) {
            const auto list = on_host(found.list(mu, c), std::size_t(found.tiles(mu, c)));
            EXPECT_EQ(list, std::vector<std::int32_t>(expected[mu][c].begin(), expected[mu][c].end()))
                << mu << " " << c;
            most = std::max(most, list.size());
          }
        EXPECT_EQ(found.most_tiles(), int(most));
        if (box.volume() < lattice.volume()) {
          EXPECT_EQ(found.mixed(), W > 1);
        }
      });
}

}  // namespace
}  // namespace trellis::gauge
