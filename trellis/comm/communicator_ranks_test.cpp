// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Collective operations: with random numbers that every rank can compute for every other, so that it knows the answer.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/groups.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {
namespace {

class Ranks : public testing::Test {
 protected:
  const Communicator ranks = Communicator::world();
  const int rank = ranks.rank(), size = ranks.size();

  static std::mt19937_64 numbers_of(int of, int seed) { return std::mt19937_64(std::uint64_t(1000 * seed + of)); }
};

TEST_F(Ranks, KnowTheirMachine) {
  EXPECT_EQ(ranks.rank_on_machine(), rank);
  EXPECT_EQ(ranks.ranks_on_machine(), size);
  EXPECT_TRUE(ranks == Communicator::world());
  EXPECT_EQ(ranks == Communicator(), size == 1);
}

TEST_F(Ranks, WorkInParts) {
  for (int count = 1; count <= size; ++count) {
    const auto part = ranks.first(count);
    const bool inside = rank < count;
    EXPECT_EQ(part.size(), inside ? count : size - count);
    EXPECT_EQ(part.rank(), inside ? rank : rank - count);
    EXPECT_EQ(part.ranks_on_machine(), part.size());
    EXPECT_TRUE(ranks.first(count) == part);
    std::uint64_t sum = 1;
    if (!inside) part.sum("those beyond", {&sum, 1});
    for (int n = 0; inside && n < count; ++n) {
      sum = 1;
      part.sum("those within", {&sum, 1});  // the others are busy elsewhere
    }
    EXPECT_EQ(sum, std::uint64_t(part.size()));
    std::uint64_t all = 1;
    ranks.sum("all", {&all, 1});
    EXPECT_EQ(all, std::uint64_t(size));
  }
  EXPECT_THROW(ranks.first(0), Error);
  EXPECT_THROW(ranks.first(size + 1), Error);
}

TEST_F(Ranks, WorkInGroups) {
  for (int count = 1; count <= size; ++count) {
    if (size % count != 0) {
      EXPECT_THROW(group_of(ranks, count), Error);
      continue;
    }
    const int length = size / count, number = rank / length;
    const auto group = group_of(ranks, count);
    EXPECT_EQ(group.size(), length);
    EXPECT_EQ(group.rank(), rank % length);
    EXPECT_TRUE(group_of(ranks, count) == group);
    // Each as often as it likes.
    for (int n = 0; n <= number; ++n) {
      std::uint64_t sum = std::uint64_t(rank);
      group.sum("within a group", {&sum, 1});
      EXPECT_EQ(sum, std::uint64_t(length * number * length + length * (length - 1) / 2));
    }
    ranks.barrier("all groups");
  }
  EXPECT_THROW(group_of(ranks, 0), Error);
}

TEST_F(Ranks, AddIntegersAndBits) {
  for (const std::size_t n : {1U, 3U, 1000U, 70000U}) {
    std::vector<std::uint64_t> sum(n, 0), bits(n, 0), expected_sum(n, 0), expected_bits(n, 0);
    for (int r = 0; r < size; ++r) {
      auto numbers = numbers_of(r, int(n));
      for (std::size_t i = 0; i < n; ++i) {
        const auto value = numbers();
        expected_sum[i] += value;  // wraps
        expected_bits[i] ^= value;
        if (r == rank) sum[i] = bits[i] = value;
      }
    }
    ranks.sum("sum", sum);
    ranks.bitwise_xor("xor", bits);
    EXPECT_EQ(sum, expected_sum);
    EXPECT_EQ(bits, expected_bits);
  }
}

TEST_F(Ranks, FindMaxima) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  double values[] = {double(rank),
                     -1.0 - rank,
                     rank == size - 1 ? infinity : 1e308,
                     -infinity,
                     rank == size / 2 ? -nan : infinity,
                     rank == 0 ? -0.0 : -1e-320};
  ranks.maximum("maximum", values);
  EXPECT_EQ(values[0], size - 1);
  EXPECT_EQ(values[1], -1);
  EXPECT_EQ(values[2], infinity);
  EXPECT_EQ(values[3], -infinity);
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_EQ(values[5], 0);
  EXPECT_TRUE(std::signbit(values[5]));
}

// Terms over all magnitudes of doubles, with cancellation: any distribution over ranks gives the bits that one rank
// finds in any other order.
TEST_F(Ranks, AddExactly) {
  constexpr int terms = 3000, sums = 23;
  std::vector<ExactSum> total(sums), forward(sums), backward(sums);
  for (int s = 0; s < sums; ++s) {
    auto numbers = numbers_of(0, s);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::uniform_int_distribution<int> exponent(s % 3 == 0 ? -800 : -40, s % 3 == 1 ? 40 : 900), owner(0, size - 1);
    std::vector<double> values(terms);
    for (int i = 0; i < terms; ++i) {
      auto& value = values[std::size_t(i)];
      value = i % 5 == 4 ? -values[std::size_t(i - 2)] : std::ldexp(unit(numbers), exponent(numbers));
      forward[std::size_t(s)].add(value);
      if (owner(numbers) == rank) total[std::size_t(s)].add(value);
    }
    for (auto value = values.rbegin(); value != values.rend(); ++value) backward[std::size_t(s)].add(*value);
  }
  ranks.add("sums", total);
  for (std::size_t s = 0; s < sums; ++s) {
    EXPECT_TRUE(total[s] == forward[s]) << s;
    EXPECT_TRUE(total[s] == backward[s]) << s;
    const auto value = total[s].value();
    auto everywhere = value;
    ranks.broadcast("value", std::as_writable_bytes(std::span(&everywhere, 1)));
    EXPECT_EQ(std::memcmp(&value, &everywhere, sizeof value), 0);
  }
}

TEST_F(Ranks, AddWhatIsNoNumber) {
  ExactSum sums[3];
  sums[0].add(rank == size - 1 ? std::numeric_limits<double>::quiet_NaN() : 1.0);
  sums[1].add(rank == 0 ? -std::numeric_limits<double>::infinity() : 1.0);
  sums[2].add(0.25);
  ranks.add("sums", sums);
  EXPECT_TRUE(std::isnan(sums[0].value()));
  EXPECT_TRUE(std::isnan(sums[1].value()));
  EXPECT_EQ(sums[2].value(), 0.25 * size);
}

TEST_F(Ranks, BroadcastAndGather) {
  for (int from = 0; from < size; ++from) {
    const auto text_of = [](int r) { return std::string(std::size_t(3 * r), char('a' + r)) + std::string(1, '\0'); };
    EXPECT_EQ(ranks.broadcast("text", text_of(rank), from), text_of(from));
    EXPECT_EQ(ranks.broadcast("nothing", rank == from ? "" : "something", from), "");
    std::vector<std::uint64_t> words(100000, std::uint64_t(rank));
    ranks.broadcast("words", std::as_writable_bytes(std::span(words)), from);
    EXPECT_EQ(words, std::vector<std::uint64_t>(100000, std::uint64_t(from)));
    const auto all = ranks.gather("texts", text_of(rank));
    ASSERT_EQ(all.size(), std::size_t(size));
    for (int r = 0; r < size; ++r) EXPECT_EQ(all[std::size_t(r)], text_of(r));
  }
  EXPECT_EQ(ranks.gather("nothing", ""), std::vector<std::string>(std::size_t(size)));
}

// The message that agree() throws, and its exit code; empty if it does not throw.
std::pair<std::string, int> thrown(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.what(), error.exit_code()};
  }
  return {"", 0};
}

TEST_F(Ranks, AgreeOnErrors) {
  EXPECT_NO_THROW(ranks.agree("fine", ""));
  const int last = size - 1;
  const auto named = [&](const std::string& text) {
    return size == 1 ? text : "rank " + std::to_string(last) + ": " + text;
  };
  using Thrown = std::pair<std::string, int>;
  EXPECT_EQ(thrown([&] { ranks.agree("one", rank == last ? "no such file" : ""); }), Thrown(named("no such file"), 2));
  EXPECT_EQ(thrown([&] { ranks.agree("one", rank == last ? "disk full" : "", 1); }), Thrown(named("disk full"), 1));
  EXPECT_EQ(thrown([&] { ranks.agree("all", "no such key"); }), Thrown("no such key", 2));
  EXPECT_EQ(thrown([&] { ranks.agree("different", "I am " + std::to_string(rank)); }),
            Thrown(size == 1 ? "I am 0" : "rank 0: I am 0", 2));
  EXPECT_EQ(thrown([&] {
              together(ranks, "input", [&] {
                if (rank == last) fail_input("bad {}", 7);
              });
            }),
            Thrown(named("bad 7"), 2));
  if (size > 1) {
    const auto any = thrown([&] {
      together(ranks, "any", [&] {
        if (rank == last) throw std::runtime_error("anything");
        return 3;
      });
    });
    EXPECT_EQ(any, Thrown(named("anything"), 1));
  }
  EXPECT_EQ(together(ranks, "value", [&] { return std::to_string(rank); }), std::to_string(rank));
}

TEST_F(Ranks, RequireTheSame) {
  EXPECT_NO_THROW(ranks.require_same("the input", std::string(100000, 'x')));
  if (size == 1) return;
  const auto error =
      thrown([&] { ranks.require_same("the input", rank == 1 ? "beta = 3.5\nmass = 1\n" : "beta = 3.7\nmass = 1\n"); });
  EXPECT_EQ(error.first, "rank 1: the input is not the same on all ranks: at byte 9 it has '5' here, '7' on rank 0");
  EXPECT_EQ(error.second, 2);
  EXPECT_NE(thrown([&] { ranks.require_same("the input", rank == 0 ? "ab" : "a"); }).first.find("the end here, 'b'"),
            std::string::npos);
}

}  // namespace
}  // namespace trellis::comm
