// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/process_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/message_of.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::int64_t product(const Coordinate& e) { return std::int64_t(e[0]) * e[1] * e[2] * e[3]; }

TEST(ProcessGrid, OneProcess) {
  const ProcessGrid grid;
  EXPECT_EQ(grid.size(), 1);
  EXPECT_EQ(grid.coordinate(), Coordinate{});
  EXPECT_EQ(grid.neighbour({1, -1, 3, 0}), 0);
  EXPECT_EQ(grid.local({4, 6, 8, 2}), (Coordinate{4, 6, 8, 2}));
  EXPECT_EQ(grid, ProcessGrid(Communicator(), {1, 1, 1, 1}));
}

TEST(ProcessGrid, RanksAndCoordinatesAreInverse) {
  for (const Coordinate& order : {Coordinate{0, 1, 2, 3}, Coordinate{3, 2, 1, 0}, Coordinate{2, 0, 3, 1}}) {
    const Coordinate extents{3, 1, 2, 4};
    std::set<Coordinate> seen;
    for (int rank = 0; rank < 24; ++rank) {
      const ProcessGrid grid(extents, rank, order);
      EXPECT_EQ(grid.rank_at(grid.coordinate()), rank);
      EXPECT_EQ(grid.neighbour({}), rank);
      seen.insert(grid.coordinate());
    }
    EXPECT_EQ(seen.size(), 24U);
    // Numbers run fastest along order[0].
    const auto fastest = std::size_t(order[0]);
    if (extents[fastest] > 1) {
      EXPECT_EQ(ProcessGrid(extents, 1, order).coordinate()[fastest], 1);
    }
  }
}

TEST(ProcessGrid, NeighboursGoAroundTheTorus) {
  const Coordinate extents{3, 1, 2, 4};
  for (int rank = 0; rank < 24; ++rank) {
    const ProcessGrid grid(extents, rank);
    for (std::size_t mu = 0; mu < 4; ++mu) {
      Coordinate forward{}, backward{}, around{}, far{};
      forward[mu] = 1;
      backward[mu] = -1;
      around[mu] = extents[mu];
      far[mu] = -2 * extents[mu] - 1;
      const ProcessGrid there(extents, grid.neighbour(forward));
      EXPECT_EQ(there.neighbour(backward), rank);
      EXPECT_EQ(there.coordinate()[mu], (grid.coordinate()[mu] + 1) % extents[mu]);
      EXPECT_EQ(grid.neighbour(around), rank);
      EXPECT_EQ(grid.neighbour(far), grid.neighbour(backward));
    }
    Coordinate diagonal{1, 1, 1, 1};
    EXPECT_EQ(ProcessGrid(extents, grid.neighbour(diagonal)).neighbour({-1, -1, -1, -1}), rank);
  }
}

TEST(ProcessGrid, RefusesWhatIsNoGrid) {
  EXPECT_TRUE(contains(test::message_of<InputError>([] { ProcessGrid(Communicator(), {2, 1, 1, 2}); }),
                       "process grid 2x1x1x2: it has 4 places, and there is 1 rank"));
  EXPECT_TRUE(
      contains(test::message_of<InputError>([] { ProcessGrid({0, 1, 1, 2}, 0); }), "extents must be at least 1"));
  EXPECT_TRUE(
      contains(test::message_of<InputError>([] { ProcessGrid({2, 1, 1, 2}, 4); }), "no rank 4; ranks are 0 to 3"));
  EXPECT_TRUE(
      contains(test::message_of<InputError>([] { ProcessGrid({2, 1, 1, 2}, 0, {0, 1, 1, 2}); }), "not a permutation"));
  EXPECT_TRUE(contains(test::message_of<InputError>([] { ProcessGrid(Communicator(), {65536, 65536, 1, 1}); }),
                       "4294967296 places"));
}

TEST(ProcessGrid, BlocksAreEven) {
  EXPECT_EQ(ProcessGrid({2, 1, 3, 4}, 0).local({8, 6, 12, 8}), (Coordinate{4, 6, 4, 2}));
  EXPECT_EQ(test::message_of<InputError>([] { ProcessGrid({1, 5, 1, 1}, 0).local({24, 24, 24, 12}); }),
            "process grid 1x5x1x1: the 24 sites of lattice 24x24x24x12 in y do not make 5 blocks of even extent; "
            "1, 2, 3, 4, 6, 12 do");
  // 3 blocks of 3 sites would not be even.
  EXPECT_TRUE(contains(test::message_of<InputError>([] { ProcessGrid({1, 1, 1, 6}, 0).local({8, 8, 8, 6}); }),
                       "in t do not make 6"));
  EXPECT_TRUE(
      contains(test::message_of<InputError>([] { ProcessGrid({2, 1, 1, 1}, 0).local({2, 8, 8, 6}); }), "1 does"));
}

TEST(GridChoice, AllThatDivide) {
  const Coordinate lattice{8, 12, 8, 4};
  for (const int ranks : {1, 2, 3, 6, 16, 48, 192}) {
    const auto choices = possible_grids(lattice, ranks, {});
    std::set<Coordinate> different;
    for (const auto& choice : choices) {
      EXPECT_EQ(product(choice.extents), ranks);
      EXPECT_NO_THROW(ProcessGrid(choice.extents, 0).local(lattice));
      different.insert(choice.extents);
    }
    EXPECT_EQ(different.size(), choices.size());
    std::size_t expected = 0;
    for (int x = 1; x <= 4; ++x)
      for (int y = 1; y <= 6; ++y)
        for (int z = 1; z <= 4; ++z)
          for (int t = 1; t <= 2; ++t)
            if (x * y * z * t == ranks && 8 % (2 * x) == 0 && 12 % (2 * y) == 0 && 8 % (2 * z) == 0) ++expected;
    EXPECT_EQ(choices.size(), expected);
    EXPECT_TRUE(std::is_sorted(choices.begin(), choices.end(),
                               [](const auto& a, const auto& b) { return a.seconds < b.seconds; }));
  }
  EXPECT_TRUE(possible_grids(lattice, 5, {}).empty());
}

TEST(GridChoice, CostsAreThoseOfAnExchange) {
  const LinkCost cost{.latency = 1e-6, .bandwidth = 1e9, .bandwidth_inside = 4e9, .ranks_on_machine = 2};
  const auto alone = possible_grids({8, 8, 8, 8}, 1, cost);
  EXPECT_EQ(alone.front().seconds, 0);
  EXPECT_EQ(alone.front().surface, 0);
  // Two ranks on one machine: two slices of 512 sites in two messages.
  const auto pair = possible_grids({8, 8, 8, 8}, 2, cost, 100);
  EXPECT_EQ(pair.front().surface, 1024);
  EXPECT_DOUBLE_EQ(pair.front().seconds, 2e-6 + 102400 / 4e9);
  // Four along t: each has one neighbour on its machine and one on the other.
  const auto four = possible_grids({8, 8, 8, 8}, 4, cost, 100);
  const auto line =
      std::find_if(four.begin(), four.end(), [](const auto& c) { return c.extents == Coordinate{1, 1, 1, 4}; });
  ASSERT_NE(line, four.end());
  EXPECT_DOUBLE_EQ(line->seconds, 2e-6 + 51200 / 4e9 + 51200 / 1e9);
}

TEST(GridChoice, LanesComeLast) {
  EXPECT_EQ(best_grid({16, 16, 16, 16}, 1), (Coordinate{1, 1, 1, 1}));
  // Hops of three steps stay within the neighbours' blocks.
  EXPECT_EQ(best_grid({8, 8, 8, 8}, 4, {.latency = 1}, 96, 3), (Coordinate{1, 1, 2, 2}));
  EXPECT_THROW(best_grid({4, 4, 4, 4}, 2, {}, 96, 3), InputError);
  EXPECT_EQ(best_grid({16, 16, 16, 16}, 2), (Coordinate{1, 1, 1, 2}));
  // The same number of sites as 2x2x2x2 sends, in half as many messages.
  EXPECT_EQ(best_grid({16, 16, 16, 16}, 16), (Coordinate{1, 1, 4, 4}));
  EXPECT_EQ(best_grid({16, 16, 16, 16}, 256, {.latency = 1e-9}), (Coordinate{4, 4, 4, 4}));
  // If messages are most expensive, only one direction is cut.
  EXPECT_EQ(best_grid({16, 16, 16, 16}, 4, {.latency = 1}), (Coordinate{1, 1, 1, 4}));
  // A long lattice is cut where it is long.
  EXPECT_EQ(best_grid({64, 8, 8, 8}, 8, {.latency = 1e-9}), (Coordinate{8, 1, 1, 1}));
}

// Machines of eight ranks, between which communication is expensive: what 2x2x2x8 sends to other machines, slices of
// 16^3 sites both ways, is minimal, and some grids need fewer messages for it.
TEST(GridChoice, NeighboursShareAMachine) {
  LinkCost cost{.latency = 1e-6, .bandwidth = 1e9, .bandwidth_inside = 1e15, .ranks_on_machine = 8};
  const auto best = possible_grids({32, 32, 32, 64}, 64, cost, 96).front();
  EXPECT_NEAR(best.seconds, 4e-6 + 96 * 2 * 4096 / 1e9, 1e-7);
  cost.ranks_on_machine = 1;
  EXPECT_GT(possible_grids({32, 32, 32, 64}, 64, cost, 96).front().seconds, 2 * best.seconds);
}

TEST(GridChoice, ErrorsSayWhatWouldFit) {
  EXPECT_EQ(test::message_of<InputError>([] { best_grid({24, 24, 24, 12}, 5); }),
            "lattice 24x24x24x12 does not divide over 5 ranks; 1, 2, 3, 4, 6, 8, 9, 12 ... do");
  EXPECT_EQ(test::message_of<InputError>([] { best_grid({24, 24, 24, 12}, 100); }),
            "lattice 24x24x24x12 does not divide over 100 ranks; ... 64, 72, 81, 96, 108, 128, 144, 162 ... do");
  EXPECT_EQ(test::message_of<InputError>([] { best_grid({4, 4, 4, 2}, 9); }),
            "lattice 4x4x4x2 does not divide over 9 ranks: blocks have at least 2x2x2x2 sites, so that 8 ranks are "
            "the most");
  EXPECT_EQ(test::message_of<InputError>([] { best_grid({2, 2, 2, 2}, 2); }),
            "lattice 2x2x2x2 does not divide over 2 ranks: blocks have at least 2x2x2x2 sites, so that 1 rank is "
            "the most");
  // 6 / 2 is as far as quarks hop, but odd.
  EXPECT_EQ(test::message_of<InputError>([] { best_grid({4, 4, 4, 6}, 2, {}, 96, 3); }),
            "lattice 4x4x4x6 does not divide over 2 ranks: blocks have even extents, and where they are cut at least 4 "
            "sites, since quarks hop 3; 1 does");
  EXPECT_EQ(test::message_of<InputError>([] { best_grid({4, 4, 8, 12}, 8, {}, 96, 3); }),
            "lattice 4x4x8x12 does not divide over 8 ranks: blocks have even extents, and where they are cut at least "
            "4 sites, since quarks hop 3; ... 2, 3, 4, 6 do");
  EXPECT_TRUE(contains(test::message_of<InputError>([] { best_grid({4, 4, 4, 4}, 0); }), "not 0"));
  EXPECT_TRUE(contains(test::message_of<InputError>([] { best_grid({4, 4, 5, 4}, 2); }), "must be even"));
}

TEST(GridChoice, ThousandsOfRanks) {
  const LinkCost cost{.ranks_on_machine = 8};
  const auto choices = possible_grids({96, 96, 96, 96}, 4096, cost);
  ASSERT_FALSE(choices.empty());
  EXPECT_EQ(ProcessGrid(choices.front().extents, 4095).local({96, 96, 96, 96}), (Coordinate{12, 12, 12, 12}));
}

TEST(GridChoice, AsText) { EXPECT_EQ(to_string({2, 2, 1, 4}), "2x2x1x4"); }

}  // namespace
}  // namespace trellis::comm
