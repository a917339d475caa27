// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/lattice.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis {
namespace {

struct Case {
  Coordinate size;
  int lanes;
  SiteOrder order;
  LatticeShape shape = {};
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.size[0] << "x" << c.size[1] << "x" << c.size[2] << "x" << c.size[3] << " lanes " << c.lanes
       << (c.order == SiteOrder::even_odd ? " even/odd" : " lexicographic");
  if (c.shape.directions != Coordinate{}) *out << " x is " << c.shape.directions[0];
  if (c.shape.brick[0] > 0) *out << " bricks " << c.shape.brick[0] << " wide in columns of " << c.shape.column[0];
}

class Orders : public ::testing::TestWithParam<Case> {};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Coordinate& size : {Coordinate{2, 2, 2, 2}, Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 6, 8},
                                 Coordinate{16, 2, 6, 4}, Coordinate{8, 8, 4, 12}, Coordinate{6, 10, 2, 4}})
    for (const int lanes : {1, 2, 4, 8, 16, 32})
      for (const SiteOrder order : {SiteOrder::even_odd, SiteOrder::lexicographic})
        if (Lattice::divides(size, lanes)) cases.push_back({size, lanes, order});
  for (const SiteOrder order : {SiteOrder::even_odd, SiteOrder::lexicographic}) {
    cases.push_back({{8, 8, 4, 12}, 1, order, {.brick = {4, 2, 2, 2}}});
    cases.push_back({{64, 64, 16, 2}, 16, order});  // slices on a GPU must be cut
    cases.push_back({{8, 8, 4, 12}, 8, order, {.brick = {2, 2, 2, 2}}});
    cases.push_back({{8, 8, 4, 12}, 4, order, {.directions = {3, 2, 1, 0}}});
    cases.push_back({{6, 8, 4, 12}, 1, order, {.directions = {2, 0, 3, 1}}});
    cases.push_back({{8, 8, 4, 12}, 1, order, {.column = {4, 2}, .brick = {8, 2, 1, 3}}});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Lattices, Orders, ::testing::ValuesIn(all_cases()));

TEST_P(Orders, EverySiteHasOnePlace) {
  const Lattice lattice(GetParam().size, GetParam().lanes, GetParam().order, GetParam().shape);
  std::set<std::int64_t> places;
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    EXPECT_EQ(lattice.lexicographic(x), n);
    const std::int64_t place = lattice.index(x);
    ASSERT_GE(place, 0);
    ASSERT_LT(place, lattice.volume());
    EXPECT_TRUE(places.insert(place).second);
    std::int64_t sites[64];
    lattice.sites(int(place / lattice.lanes()), sites);
    EXPECT_EQ(sites[place % lattice.lanes()], n);
    if (lattice.order() == SiteOrder::even_odd) {
      const int parity = (x[0] + x[1] + x[2] + x[3]) % 2;
      EXPECT_EQ(place >= lattice.volume() / 2, parity == 1);
    }
  }
}

// One and two steps in all directions, comparing tables with coordinates.
TEST_P(Orders, HopsLeadToNeighbours) {
  const Lattice lattice(GetParam().size, GetParam().lanes, GetParam().order, GetParam().shape);
  const Neighbours next = lattice.host_neighbours();
  const auto moved = [&](Coordinate x, int step) {
    const int mu = step % 4;
    x[mu] = (x[mu] + (step < 4 ? 1 : lattice.size(mu) - 1)) % lattice.size(mu);
    return x;
  };
  for (std::int64_t n = 0; n < lattice.volume(); n += 1 + lattice.volume() / 64) {
    const Coordinate x = lattice.coordinate(n);
    const std::int64_t place = lattice.index(x);
    const int tile = int(place / lattice.lanes()), lane = int(place % lattice.lanes());
    for (int first = 0; first < 8; ++first) {
      const Hop once = next(tile, first);
      EXPECT_EQ(once.tile * std::int64_t(lattice.lanes()) + next.permutation(once.shift)[lane],
                lattice.index(moved(x, first)));
      for (int second = 0; second < 8; ++second) {
        const Hop twice = next(once, second);
        EXPECT_EQ(twice.tile * std::int64_t(lattice.lanes()) + next.permutation(twice.shift)[lane],
                  lattice.index(moved(moved(x, first), second)));
      }
    }
  }
}

// The even sites of a brick lie side by side, and so do the odd ones.
TEST(Lattice, SitesOfABrickStandTogether) {
  const Lattice lattice({8, 4, 4, 4}, 1, SiteOrder::even_odd, {.brick = {4, 2, 2, 2}});
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    const int brick = ((x[3] / 2 * 2 + x[2] / 2) * 2 + x[1] / 2) * 2 + x[0] / 4;
    EXPECT_EQ(lattice.index(x) % (lattice.volume() / 2) / 16, brick);
  }
  EXPECT_FALSE(lattice == Lattice({8, 4, 4, 4}, 1, SiteOrder::even_odd, {.brick = {2, 2, 2, 2}}));
}

TEST(Lattice, BricksThatDoNotFitAreErrors) {
  for (const Coordinate& brick : {Coordinate{3, 2, 2, 2}, {1, 2, 2, 2}, {4, 3, 2, 2}, {4, 2, 2, 8}, {4, 0, 2, 2}})
    EXPECT_THROW(Lattice({8, 4, 4, 4}, 1, SiteOrder::even_odd, {.brick = brick}), InputError);
  EXPECT_THROW(Lattice({8, 4, 4, 4}, 1, SiteOrder::even_odd, {.column = {1, 2}, .brick = {4, 2, 2, 2}}), InputError);
}

TEST(Lattice, SizesThatAreNotPossibleAreErrors) {
  EXPECT_THROW(Lattice({3, 4, 4, 4}), InputError);
  EXPECT_THROW(Lattice({0, 4, 4, 4}), InputError);
  EXPECT_THROW(Lattice({4, 4, 4, -2}), InputError);
  EXPECT_THROW(Lattice({1 << 20, 1 << 20, 1 << 20, 1 << 20}), InputError);
  EXPECT_THROW(Lattice({4, 4, 4, 4}, 3), InputError);
  try {
    Lattice({512, 512, 512, 16}, 1);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "lattice size 512x512x512x16: 2147483648 sites for each process are too many, at most 268435456 fit "
                 "with 1 lanes; it needs at least 8 ranks");
  }
  EXPECT_THROW(Lattice({6, 6, 6, 6}, 2), InputError);
  EXPECT_THROW(Lattice({4, 4, 4, 4}, 32), InputError);
  EXPECT_NO_THROW(Lattice({4, 4, 4, 4}, 16));
}

// On a GPU columns are cut at slices of 2^15 sites; lanes cut x first on a GPU, the longest directions on a CPU.
TEST(Lattice, ShapesSuitTheSpace) {
  EXPECT_EQ(Lattice({32, 32, 32, 32}, 16).lane_grid(),
            (fields_on_host ? Coordinate{2, 2, 2, 2} : Coordinate{16, 1, 1, 1}));
  if (fields_on_host) return;
  EXPECT_EQ(Lattice({64, 64, 16, 2}, 16).column(), (std::array{64, 8}));
  EXPECT_EQ(Lattice({32, 32, 32, 4}, 16).column(), (std::array{32, 32}));
}

TEST(Lattice, BestLanesFillARegisterAndDivide) {
  for (const Coordinate& size : {Coordinate{16, 16, 16, 16}, Coordinate{6, 6, 6, 6}, Coordinate{2, 4, 6, 8}})
    for (const int bytes : {4, 8}) {
      const int lanes = Lattice::best_lanes(size, bytes);
      EXPECT_TRUE(Lattice::divides(size, lanes));
      EXPECT_LE(lanes * bytes, backend::most_lane_bytes);
      // Many vectors lie side by side if each thread works on one vector of a site.
      EXPECT_EQ(Lattice::best_lanes(size, bytes, 16), fields_side_by_side<1> ? 1 : lanes);
    }
  EXPECT_EQ(Lattice::best_lanes({6, 6, 6, 6}, 8), 1);
}

// Adds to the counts of all tiles or of those of one parity, lane by lane.
template <int W>
struct AddToTiles {
  int *counts, more;
  TRELLIS_INLINE void operator()(int tile) const {
    for (const int l : own_lanes<lanes_t<double, W>>()) counts[tile * W + l] += more;
  }
};

template <int W>
void visit_tiles(const Lattice& lattice, const FieldView<int*>& counts) {
  const AddToTiles<W> add{counts.data(), 1};
  for_each_tile("count", lattice, TRELLIS_KERNEL(int tile) { add(tile); });
}
template <int W>
void visit_even_tiles(const Lattice& lattice, const FieldView<int*>& counts) {
  const AddToTiles<W> add{counts.data(), 10};
  for_each_tile("count even", lattice, 0, TRELLIS_KERNEL(int tile) { add(tile); });
}

TEST(Dispatch, EachTileOnceAndParitiesApart) {
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  const FieldView<int*> counts("visits", lattice.volume());
  visit_tiles<test::wide>(lattice, counts);
  visit_even_tiles<test::wide>(lattice, counts);
  const auto visits = create_mirror_view_and_copy(HostSpace{}, counts);
  for (Index n = 0; n < lattice.volume(); ++n) EXPECT_EQ(visits(n), n < lattice.volume() / 2 ? 11 : 1);
  EXPECT_THROW(visit_even_tiles<1>(Lattice({4, 4, 4, 4}, 1, SiteOrder::lexicographic), counts), Error);
}

TEST(Fields, LinksComeBackAndCopiesShare) {
  const Lattice lattice({4, 4, 4, 8}, test::wide);
  const GaugeField<double, test::wide> u(lattice);
  std::array<double, 18> link;
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      for (int k = 0; k < 18; ++k) link[k] = double(100 * (4 * n + mu) + k);
      u.set_link(lattice.coordinate(n), mu, link);
    }
  const auto shared = u;
  const auto copy = u.clone();
  link.fill(-1);
  u.set_link({1, 2, 3, 4}, 2, link);
  EXPECT_EQ(shared.link({1, 2, 3, 4}, 2)[5], -1);
  EXPECT_EQ(copy.link({1, 2, 3, 4}, 2)[5], double(100 * (4 * lattice.lexicographic({1, 2, 3, 4}) + 2) + 5));
  EXPECT_EQ(copy.link({0, 1, 0, 1}, 3)[17], double(100 * (4 * lattice.lexicographic({0, 1, 0, 1}) + 3) + 17));
  if (test::wide != 1) {
    EXPECT_THROW((GaugeField<double, 1>(lattice)), Error);
  }
}

}  // namespace
}  // namespace trellis
