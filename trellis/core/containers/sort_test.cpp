// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/containers/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/subview.hpp"

namespace trellis {
namespace {

template <class T>
using Keys = View<T*, HostSpace>;

// Numbers of every size and sign, many of them equal.
template <class T>
Keys<T> mixed_keys(Index n, unsigned seed) {
  std::mt19937_64 random(seed);
  const Keys<T> keys("keys", n);
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t word = random();
    if constexpr (std::is_floating_point_v<T>) {
      keys(i) =
          static_cast<T>(std::ldexp(static_cast<double>(static_cast<std::int64_t>(word) >> 58), int(word % 40) - 20));
    } else {
      keys(i) = static_cast<T>(word >> (word % 64));
    }
  }
  const T special[] = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(0), T(-1), T(1)};
  for (Index i = 0; i < std::min<Index>(n, 5); ++i) keys(i * 7 % n) = special[i];
  return keys;
}

// The oracle: std::sort of the places, by key and then place.
template <class T>
std::vector<std::int32_t> stable_order(const Keys<T>& keys) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(keys.extent(0)));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return keys(a) < keys(b) || (keys(a) == keys(b) && a < b); });
  return order;
}

template <class Exec>
class SortTest : public testing::Test {
 protected:
  ~SortTest() override { set_thread_count(threads_); }

  template <class T>
  void expect_sorted(Index n) {
    for (const int threads : {1, 4}) {
      set_thread_count(threads);
      const Exec space;
      const auto keys = mixed_keys<T>(n, static_cast<unsigned>(n) + 3);
      const auto expected = stable_order(keys);
      const auto order = sort_permutation(space, keys);
      ASSERT_EQ(order.extent(0), n);
      for (Index k = 0; k < n; ++k) ASSERT_EQ(order(k), expected[static_cast<std::size_t>(k)]) << k;
      const auto moved = mixed_keys<T>(n, static_cast<unsigned>(n) + 3);
      const Keys<Index> values("values", n);
      for (Index k = 0; k < n; ++k) values(k) = k;
      sort_by_key(space, moved, values);
      for (Index k = 0; k < n; ++k) {
        ASSERT_EQ(values(k), expected[static_cast<std::size_t>(k)]);
        ASSERT_EQ(moved(k), keys(values(k)));
      }
      const auto alone = mixed_keys<T>(n, static_cast<unsigned>(n) + 3);
      sort(space, alone);
      for (Index k = 0; k < n; ++k) ASSERT_EQ(alone(k), moved(k));
    }
  }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(SortTest, TestedSpaces);

TYPED_TEST(SortTest, IsTheStableOrder) {
  for (const Index n : {0, 1, 2, 511, 512, 513, 5000}) {
    this->template expect_sorted<int>(n);
    this->template expect_sorted<double>(n);
  }
  constexpr Index n = 3000;
  this->template expect_sorted<std::int8_t>(n);
  this->template expect_sorted<std::uint8_t>(n);
  this->template expect_sorted<std::int16_t>(n);
  this->template expect_sorted<std::uint32_t>(n);
  this->template expect_sorted<std::int64_t>(n);
  this->template expect_sorted<std::uint64_t>(n);
  this->template expect_sorted<float>(n);
}

TYPED_TEST(SortTest, OfManyChunks) { this->template expect_sorted<std::uint32_t>(700000); }

TYPED_TEST(SortTest, ZerosInfinitiesAndNaN) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Keys<double> keys("keys", 7);
  const double given[] = {nan, 0.0, infinity, -0.0, -infinity, -1.0, std::copysign(nan, -1.0)};
  for (Index i = 0; i < 7; ++i) keys(i) = given[i];
  const auto order = sort_permutation(TypeParam{}, keys);
  const std::int32_t expected[] = {6, 4, 5, 3, 1, 2, 0};
  for (Index i = 0; i < 7; ++i) EXPECT_EQ(order(i), expected[i]);
}

// Part of a larger array, and constant keys.
TYPED_TEST(SortTest, TakesStridedViews) {
  const View<int**, LayoutRight, HostSpace> table("table", 100, 3);
  for (Index i = 0; i < 100; ++i) {
    table(i, 0) = 1000;
    table(i, 1) = static_cast<int>((i * 37) % 100);
    table(i, 2) = static_cast<int>(i);
  }
  sort_by_key(TypeParam{}, subview(table, ALL, 1), subview(table, ALL, 2));
  for (Index i = 0; i < 100; ++i) {
    EXPECT_EQ(table(i, 0), 1000);
    EXPECT_EQ(table(i, 1), i);
    EXPECT_EQ(table(i, 2) * 37 % 100, i);
  }
  const View<const int*, LayoutStride, HostSpace> constant = subview(table, ALL, 0);
  const auto order = sort_permutation(TypeParam{}, constant);
  for (Index i = 0; i < 100; ++i) EXPECT_EQ(order(i), i);
}

TEST(Sort, NeedsAValueForEachKey) {
  const Keys<int> keys("keys", 5), values("values", 4);
  try {
    sort_by_key(Serial{}, keys, values);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sort_by_key: 5 keys 'keys', but 4 values 'values'");
  }
}

}  // namespace
}  // namespace trellis
