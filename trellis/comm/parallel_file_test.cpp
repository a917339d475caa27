// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How rows are distributed over ranks. Files themselves are tested in parallel_file_ranks_test.cpp.
#include "trellis/comm/parallel_file.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trellis/comm/detail/rows.hpp"

namespace trellis::comm::detail {
namespace {

TEST(Rows, OfABlockStandWhereTheLatticeHasThem) {
  std::mt19937 numbers(3);
  const auto random = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(numbers); };
  for (int repeat = 0; repeat < 200; ++repeat) {
    Block b{};
    for (std::size_t mu = 0; mu < 4; ++mu) {
      b.lattice[mu] = random(1, 6);
      b.extents[mu] = random(1, b.lattice[mu]);
      b.origin[mu] = random(0, b.lattice[mu] - b.extents[mu]);
    }
    std::uint64_t row = 0, of_block = 0;
    for (int t = 0; t < b.lattice[3]; ++t)
      for (int z = 0; z < b.lattice[2]; ++z)
        for (int y = 0; y < b.lattice[1]; ++y, ++row) {
          ASSERT_EQ(rows_before(b, row), of_block);
          const int at[] = {0, y, z, t};
          bool inside = true;
          for (std::size_t mu = 1; mu < 4; ++mu)
            inside = inside && at[mu] >= b.origin[mu] && at[mu] < b.origin[mu] + b.extents[mu];
          if (!inside) continue;
          ASSERT_EQ(row_of_lattice(b, of_block), row);
          ++of_block;
        }
    ASSERT_EQ(row, rows_of(b.lattice));
    ASSERT_EQ(rows_before(b, row), rows_of(b.extents));
  }
}

TEST(Rounds, HaveEveryRowOnceAndInOrder) {
  std::mt19937 numbers(4);
  const auto random = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(numbers); };
  for (int repeat = 0; repeat < 500; ++repeat) {
    const auto rows = std::uint64_t(random(1, 300)), bytes = std::uint64_t(random(1, 100));
    const auto smallest = std::uint64_t(random(1, 1000)), largest = smallest * std::uint64_t(random(1, 4));
    const int ranks = random(1, 9);
    const Rounds rounds(rows, bytes, ranks, smallest, largest);
    std::uint64_t next = 0;
    for (std::uint64_t round = 0; round < rounds.count(); ++round) {
      std::uint64_t in_round = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto own = rounds.rows(round, rank);
        in_round += own.count();
        if (own.count() == 0) continue;
        ASSERT_EQ(own.begin, next);
        ASSERT_TRUE(own.count() == 1 || own.count() * bytes <= largest);
        next = own.end;
      }
      ASSERT_GT(in_round, 0U);
    }
    ASSERT_EQ(next, rows);
  }
}

// A large lattice, for which 32-bit numbers are not enough.
TEST(Rounds, AreManyForALargeLattice) {
  const std::uint64_t rows = 256ULL * 256 * 512, bytes_per_row = 256 * 576;
  const Rounds rounds(rows, bytes_per_row, 64, 1 << 22, 1 << 25);
  EXPECT_EQ(rounds.writers().size(), 64U);
  EXPECT_EQ(rounds.rows(rounds.count() - 1, 63).end, rows);
  const Block block{{256, 256, 256, 512}, {0, 0, 128, 496}, {256, 256, 128, 16}};
  EXPECT_EQ(rows_before(block, rows), 256ULL * 128 * 16);
  EXPECT_EQ(row_of_lattice(block, 256ULL * 128 * 16 - 1), rows - 1);
}

}  // namespace
}  // namespace trellis::comm::detail
