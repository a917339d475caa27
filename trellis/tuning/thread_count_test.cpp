// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/thread_count.hpp"

#include <gtest/gtest.h>

#include <array>

#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::tuning {
namespace {

int fewest(std::vector<ThreadTime> times) { return fewest_as_fast(times); }

TEST(ThreadCount, TheFewestThatAreAsFast) {
  EXPECT_EQ(fewest({{1, 1.0}}), 1);
  EXPECT_EQ(fewest({{16, 1.0}, {8, 1.02}, {4, 1.04}}), 8);
  EXPECT_EQ(fewest({{16, 1.0}, {8, 0.9}, {4, 0.92}, {2, 1.7}}), 4);
  EXPECT_EQ(fewest({{2, 1.93}, {1, 0.14}}), 1);
  EXPECT_EQ(fewest({{12, 1.0}, {6, 1.6}}), 12);
}

TEST(ThreadCount, OnlySmallLatticesAreTried) {
  EXPECT_EQ(is_small_for({4, 4, 4, 4}, 2), fields_on_host);
  EXPECT_EQ(is_small_for({16, 16, 16, 16}, 64), fields_on_host);
  EXPECT_FALSE(is_small_for({4, 4, 4, 4}, 1));
  EXPECT_FALSE(is_small_for({16, 16, 16, 16}, 32));
  EXPECT_FALSE(is_small_for({64, 64, 64, 128}, 256));
}

// Whatever the result, it is possible, and the caller's number of threads is unchanged.
TEST(ThreadCount, IsOneOfThoseThatThereAre) {
  const int before = concurrency();
  for (const int most : {1, 2, 3}) {
    set_thread_count(most);
    const int there_are = concurrency();  // Serial always has one
    for (const bool staggered : {false, true}) {
      const int best = best_thread_count({4, 4, 4, 4}, 1, staggered);
      EXPECT_GE(best, 1);
      EXPECT_LE(best, there_are);
      EXPECT_EQ(concurrency(), there_are);
    }
  }
  set_thread_count(before);
  EXPECT_THROW(best_thread_count({4, 4, 4, 4}, 3, false), InputError);
}

}  // namespace
}  // namespace trellis::tuning
