// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// One process, which is a job of one rank; and code that needs no other.
#include "trellis/comm/communicator.hpp"

#include <gtest/gtest.h>

#include "trellis/comm/detail/stall.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {
namespace {

TEST(OneRank, IsAlone) {
  const Communicator ranks = Communicator::world();
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_TRUE(ranks.is_first());
  EXPECT_EQ(ranks.rank_on_machine(), 0);
  EXPECT_EQ(ranks.ranks_on_machine(), 1);
  EXPECT_TRUE(ranks == Communicator());
}

TEST(OneRank, CollectivesChangeNothing) {
  const Communicator ranks;
  ranks.barrier("b");
  std::uint64_t words[] = {7, ~std::uint64_t{0}};
  ranks.sum("s", words);
  ranks.bitwise_xor("x", words);
  EXPECT_EQ(words[0], 7U);
  EXPECT_EQ(words[1], ~std::uint64_t{0});
  double values[] = {-3.5, 1e300};
  ranks.maximum("m", values);
  EXPECT_EQ(values[0], -3.5);
  ExactSum sums[1];
  sums[0].add(0.1);
  const auto before = sums[0];
  ranks.add("e", sums);
  EXPECT_TRUE(sums[0] == before);
  EXPECT_EQ(ranks.broadcast("t", "text"), "text");
  EXPECT_EQ(ranks.gather("g", "text"), std::vector<std::string>{"text"});
}

TEST(OneRank, ErrorsAreItsOwn) {
  const Communicator ranks;
  EXPECT_NO_THROW(ranks.agree("a", ""));
  EXPECT_NO_THROW(ranks.require_same("the input", "text"));
  try {
    ranks.agree("a", "no such file");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no such file");
  }
  try {
    ranks.agree("a", "disk full", 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "disk full");
    EXPECT_EQ(error.exit_code(), 1);
  }
  // Exceptions of f pass through unchanged.
  EXPECT_THROW(together(ranks, "t", [] { throw std::out_of_range("far"); }), std::out_of_range);
  EXPECT_EQ(together(ranks, "t", [] { return 42; }), 42);
}

TEST(Stall, NamesRanks) {
  using detail::ranks_text;
  EXPECT_EQ(ranks_text({3}), "rank 3");
  EXPECT_EQ(ranks_text({0, 1}), "ranks 0, 1");
  EXPECT_EQ(ranks_text({0, 1, 2, 3, 7, 9, 10, 11}), "ranks 0-3, 7, 9-11");
}

TEST(Stall, SaysWhoIsMissing) {
  using detail::Place;
  using detail::stall_text;
  const Place norm(Place::collective, "norm", 1234, 0, 4), plaquette(Place::collective, "plaquette", 1233, 0, 4),
      halo(Place::message_from, "halo", 0, 2, 1), part(Place::collective, "part", 7, 4, 3);
  EXPECT_EQ(stall_text({{0, norm}, {1, norm}, {3, norm}}, 4, 300),
            "rank 2 has not come to 'norm' (collective 1234) in 300 s; ranks 0, 1, 3 wait there");
  EXPECT_EQ(stall_text({{0, norm}}, 4, 0.5),
            "ranks 1-3 have not come to 'norm' (collective 1234) in 0.5 s; rank 0 waits there");
  EXPECT_EQ(stall_text({{0, norm}, {1, plaquette}, {2, norm}}, 3, 300),
            "nothing has come in 300 s: ranks 0, 2 wait in 'norm' (collective 1234); rank 1 waits in 'plaquette' "
            "(collective 1233)");
  EXPECT_EQ(stall_text({{0, norm}, {1, halo}}, 3, 300),
            "nothing has come in 300 s: rank 0 waits in 'norm' (collective 1234); rank 1 waits for a message of 'halo' "
            "from rank 2; rank 2 waits for nothing");
  // For a collective of some ranks, only these can be missing.
  EXPECT_EQ(stall_text({{4, part}, {6, part}}, 8, 300),
            "rank 5 has not come to 'part' (collective 7) in 300 s; ranks 4, 6 wait there");
  EXPECT_EQ(stall_text({{0, norm}, {1, norm}, {4, part}}, 6, 300).substr(27),
            "ranks 0, 1 wait in 'norm' (collective 1234 of ranks 0-3); rank 4 waits in 'part' (collective 7 of ranks "
            "4-6); ranks 2, 3, 5 wait for nothing");
}

}  // namespace
}  // namespace trellis::comm
