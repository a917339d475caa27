// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/random/random_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

// Philox4x64-10 from the paper, written plainly.
std::array<std::uint64_t, 4> plain_philox(std::array<std::uint64_t, 4> c, std::array<std::uint64_t, 2> k) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide p = Wide{0xD2E7470EE14C6C93U} * c[0], q = Wide{0xCA5A826395121157U} * c[2];
    c = {std::uint64_t(q >> 64) ^ c[1] ^ k[0], std::uint64_t(q), std::uint64_t(p >> 64) ^ c[3] ^ k[1],
         std::uint64_t(p)};
    k = {k[0] + 0x9E3779B97F4A7C15U, k[1] + 0xBB67AE8584CAA73BU};
  }
  return c;
}

TEST(RandomNumbers, ArePhilox) {
  // The first of the authors' test vectors.
  const std::array<std::uint64_t, 4> zeros{0x16554d9eca36314cU, 0xdb20fe9d672d0fdcU, 0xd7e772cee186176bU,
                                           0x7e68b68aec7ba23bU};
  EXPECT_EQ(plain_philox({}, {}), zeros);
  EXPECT_EQ(RandomNumbers(0, 0).words(0, 0), zeros);
  const RandomNumbers numbers(0x123456789abcdefU, 77);
  const auto with = [](std::uint64_t index, std::uint64_t draw, std::uint64_t use) {
    return plain_philox({index, draw, use, 0}, {0x123456789abcdefU, 77});
  };
  EXPECT_EQ(numbers.words(1U << 30, 5), with(1U << 30, 5, 0));
  EXPECT_EQ(numbers.uniform(3, 6), (double(with(3, 1, 1)[2] >> 12) + 0.5) * 0x1p-52);
  auto sequence = numbers.sequence(9);
  for (std::uint64_t draw = 0; draw < 10; ++draw) EXPECT_EQ(sequence(), with(9, draw / 4, 4)[draw % 4]);
}

TEST(RandomNumbers, SeveralAtOnceAreTheSameAsOneByOne) {
  const RandomNumbers numbers(1, 2);
  for (std::uint64_t block = 0; block < 3; ++block) {
    for (unsigned k = 0; k < 4; ++k) {
      EXPECT_EQ(numbers.uniforms(7, block)[k], numbers.uniform(7, 4 * block + k));
      EXPECT_EQ(numbers.normals(7, block)[k], numbers.normal(7, 4 * block + k));
    }
  }
}

template <class Exec>
class RandomNumbersTest : public testing::Test {
 protected:
  ~RandomNumbersTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(RandomNumbersTest, TestedSpaces);

TYPED_TEST(RandomNumbersTest, DoNotDependOnThreads) {
  const RandomNumbers numbers(99, 5);
  constexpr Index n = 1000;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const HostView<double**> drawn("drawn", n, 4);
    parallel_for("draw", RangePolicy<TypeParam, Schedule<Dynamic>>(0, n), [=](Index i) {
      const auto index = static_cast<std::uint64_t>(i);
      auto sequence = numbers.sequence(index);
      drawn(i, 0) = numbers.uniform(index, 2);
      drawn(i, 1) = numbers.normal(index, 3);
      drawn(i, 2) = static_cast<double>(numbers.integer(1000, index));
      drawn(i, 3) = sequence.normal() + sequence.uniform() + static_cast<double>(sequence.integer(6));
    });
    for (Index i = n - 1; i >= 0; --i) {  // in another order
      const auto index = static_cast<std::uint64_t>(i);
      auto sequence = numbers.sequence(index);
      ASSERT_EQ(drawn(i, 2), static_cast<double>(numbers.integer(1000, index)));
      ASSERT_EQ(drawn(i, 1), numbers.normal(index, 3));
      ASSERT_EQ(drawn(i, 0), numbers.uniform(index, 2));
      double last = sequence.normal();
      last += sequence.uniform();
      ASSERT_EQ(drawn(i, 3), last + static_cast<double>(sequence.integer(6)));
    }
  }
}

// No numbers in common: not of seeds, streams, indices, draws or kinds, nor with Trellis' own.
TEST(RandomNumbers, StreamsHaveNothingInCommon) {
  std::set<std::uint64_t> all;
  std::size_t count = 0;
  const auto add = [&](std::uint64_t word) { all.insert(word), ++count; };
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (std::uint64_t stream = 0; stream < 4; ++stream) {
      const RandomNumbers numbers(seed, stream);
      for (std::uint64_t index = 0; index < 8; ++index) {
        for (std::uint64_t draw = 0; draw < 8; ++draw) {
          for (const auto word : numbers.words(index, draw)) add(word);
          add(std::uint64_t(numbers.uniform(index, draw) * 0x1p53));
          add(numbers.integer(std::uint64_t{1} << 63, index, draw));
        }
        auto sequence = numbers.sequence(index);
        for (int k = 0; k < 8; ++k) add(sequence());
      }
      for (std::uint32_t purpose = 1; purpose < 200; ++purpose) {
        const RandomStream own{seed, static_cast<std::uint32_t>(stream), static_cast<RandomPurpose>(purpose)};
        const auto w = own.words(stream, 0);
        add((std::uint64_t{w[0]} << 32) | w[1]);
        add((std::uint64_t{w[2]} << 32) | w[3]);
      }
    }
  }
  EXPECT_EQ(all.size(), count);
}

double mean_of(const std::vector<double>& x, int power) {
  double sum = 0;
  for (const double a : x) sum += std::pow(a, power);
  return sum / static_cast<double>(x.size());
}

// Moments within five standard errors, and no correlation of draws, indices or streams.
TEST(RandomNumbers, HaveTheirDistributions) {
  constexpr std::uint64_t n = 100000;
  const double error = 5 / std::sqrt(double(n));
  const RandomNumbers numbers(2025, 1), others(2025, 2);
  std::vector<double> uniform(n), normal(n), of_sequence(n);
  double draws = 0, indices = 0, streams = 0, pairs = 0;
  auto sequence = numbers.sequence(0);
  for (std::uint64_t i = 0; i < n; ++i) {
    uniform[i] = numbers.uniform(i);
    normal[i] = numbers.normal(i);
    of_sequence[i] = sequence.normal();
    draws += normal[i] * numbers.normal(i, 2);
    pairs += normal[i] * numbers.normal(i, 1);
    indices += normal[i] * numbers.normal(i + 1);
    streams += normal[i] * others.normal(i);
  }
  EXPECT_NEAR(mean_of(uniform, 1), 0.5, error * std::sqrt(1.0 / 12));
  EXPECT_NEAR(mean_of(uniform, 2), 1.0 / 3, error * std::sqrt(4.0 / 45));
  for (const auto& x : {normal, of_sequence}) {
    EXPECT_NEAR(mean_of(x, 1), 0, error);
    EXPECT_NEAR(mean_of(x, 2), 1, error * std::sqrt(2.0));
    EXPECT_NEAR(mean_of(x, 3), 0, error * std::sqrt(15.0));
    EXPECT_NEAR(mean_of(x, 4), 3, error * std::sqrt(96.0));
  }
  for (const double sum : {draws, pairs, indices, streams}) EXPECT_NEAR(sum / double(n), 0, error);
}

TEST(RandomNumbers, IntegersAreEquallyLikely) {
  const RandomNumbers numbers(3);
  for (const std::uint64_t bound : {1, 2, 7, 100}) {
    constexpr int n = 70000;
    std::vector<int> one(bound), other(bound);
    auto sequence = numbers.sequence(bound);
    for (std::uint64_t i = 0; i < n; ++i) ++one.at(numbers.integer(bound, i)), ++other.at(sequence.integer(bound));
    for (const auto& counts : {one, other}) {
      double chi_squared = 0;
      const double expected = n / static_cast<double>(bound);
      for (const int count : counts) chi_squared += (count - expected) * (count - expected) / expected;
      const double freedom = static_cast<double>(bound) - 1;
      EXPECT_LE(chi_squared, freedom + 5 * std::sqrt(2 * freedom)) << bound;
    }
  }
  // A bound for which a third of the words is rejected: without rejection, a half of the numbers would be twice as
  // likely.
  const std::uint64_t bound = 3 * (std::uint64_t{1} << 62);
  int low = 0;
  auto sequence = numbers.sequence(0);
  constexpr int n = 40000;
  for (int i = 0; i < n; ++i) low += sequence.integer(bound) < bound / 3 ? 1 : 0;
  EXPECT_NEAR(low, n / 3.0, 5 * std::sqrt(n * 2.0 / 9));
}

TEST(RandomNumbers, ServeTheStandardLibrary) {
  std::vector<int> cards(52);
  for (int k = 0; k < 52; ++k) cards[static_cast<std::size_t>(k)] = k;
  auto first = cards;
  auto random = RandomNumbers(1).sequence(3), again = RandomNumbers(1).sequence(3);
  std::shuffle(first.begin(), first.end(), random);
  EXPECT_NE(first, cards);
  std::shuffle(cards.begin(), cards.end(), again);
  EXPECT_EQ(first, cards);
  EXPECT_LT(std::uniform_real_distribution<double>(2, 3)(random), 3);
}

}  // namespace
}  // namespace trellis
