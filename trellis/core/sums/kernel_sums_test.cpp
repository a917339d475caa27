// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/sums/kernel_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/device/graph.hpp"
#include "trellis/core/device/readback.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis {
namespace kernel_sums_test {

using Exec = DefaultExecutionSpace;
constexpr int tiles = 300, vectors = 3;

// Terms of very different sizes and both signs; those of the last vector are given by `last`.
TRELLIS_INLINE double term(int tile, int n, int lane, int lanes, double last) {
  const int site = tile * lanes + lane;
  if (n == vectors - 1 && site == 17) return last;
  const double size = exact_sum_detail::power_of_two((site * 37 + n * 11) % 200 - 100);
  return (double((site * 7919 + n * 104729) % 2003) - 1001) * size;
}

template <int W>
struct AddTerms {
  double last;
  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int n) const {
    lanes_t<double, W> value(0.0);
    for (const int l : own_lanes<lanes_t<double, W>>()) set_lane(value, l, term(tile, n, l, W, last));
    return value;
  }
};

template <int W>
std::vector<double> sums_that_stay(double last) {
  const KernelSums<Exec> sums(vectors);
  exact_sums_of_vectors<lanes_t<double, W>>("sums", TilePolicy<Exec>(tiles, W, vectors), AddTerms<W>{last}, sums);
  return sums.values();
}

template <int W>
std::vector<double> sums_on_the_host(double last) {
  std::vector<double> sums;
  for (int n = 0; n < vectors; ++n) {
    ExactSum sum;
    for (int tile = 0; tile < tiles; ++tile)
      for (int l = 0; l < W; ++l) sum.add(term(tile, n, l, W, last));
    sums.push_back(sum.value());
  }
  return sums;
}

template <int W>
void expect_the_same_bits() {
  for (const double last : {0.0, 1e-300, -3e200, 1.0 / 3}) {
    const auto expected = sums_on_the_host<W>(last);
    EXPECT_EQ(sums_that_stay<W>(last), expected) << last;
    const auto returned =
        exact_sums_of_vectors<lanes_t<double, W>>("sums", TilePolicy<Exec>(tiles, W, vectors), AddTerms<W>{last});
    EXPECT_EQ(returned, expected);
  }
  const auto not_finite = sums_that_stay<W>(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(not_finite[vectors - 1]));
  EXPECT_EQ(not_finite[0], sums_on_the_host<W>(0)[0]);
}

TEST(KernelSums, HaveTheBitsOfSumsThatAreReturned) {
#define TRELLIS_TEST(W) expect_the_same_bits<W>();
  TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_TEST)
#undef TRELLIS_TEST
}

void add_first(const KernelSums<Exec>& sums, const View<double*>& total) {
  const double* const sum = sums.data();
  parallel_for("take", RangePolicy<Exec>(0, total.extent(0)), TRELLIS_KERNEL(Index i) { total(i) += sum[0]; });
}
void scale(const View<double*>& values, double factor) {
  parallel_for("scale", RangePolicy<Exec>(0, values.extent(0)), TRELLIS_KERNEL(Index i) { values(i) *= factor; });
}

// A sum, a kernel that uses it, and another sum, without waiting in between.
TEST(KernelSums, StandInGraphs) {
  constexpr int W = test::wide;
  const KernelSums<Exec> sums(vectors);
  const View<double*> total("total", 5);
  const auto step = capture(Exec{}, [=] {
    exact_sums_of_vectors<lanes_t<double, W>>("sums", TilePolicy<Exec>(tiles, W, vectors), AddTerms<W>{0.25}, sums);
    add_first(sums, total);
  });
  for (int k = 0; k < 4; ++k) step.run();
  const auto found = create_mirror_view_and_copy(HostSpace{}, total);
  for (Index i = 0; i < 5; ++i) EXPECT_EQ(found(i), 4 * sums_on_the_host<W>(0.25)[0]);
}

// Against the sum of the bins as an integer of 128 bits, rounded once.
TEST(ExactSums, ValuesAreRoundedOnce) {
  __extension__ using Wide = __int128;
  const RandomStream stream{5, 0, RandomPurpose::test};
  int odd = 0;
  for (std::uint64_t n = 0; n < 20000; ++n) {
    std::int64_t bins[exact_sum_detail::bins];
    Wide total = 0;
    for (int k = 0; k < exact_sum_detail::bins; ++k) {
      const auto u = stream.uniform(n, std::uint32_t(k));
      bins[k] = std::int64_t(std::ldexp(u[0] - 0.5, 1 + int(51 * u[1])));
      total = total * (Wide(1) << exact_sum_detail::bin_bits) + bins[k];
    }
    const int top = int(n % 40) - 20;
    const double expected = std::ldexp(double(total), exact_sum_detail::bin_bits * (top - 2));
    EXPECT_EQ(ExactSum(top, true, bins).value(), expected);
    if (Wide(double(total)) != total) ++odd;
  }
  EXPECT_GT(odd, 5000);  // most had to be rounded
  EXPECT_EQ(ExactSum().value(), 0);
}

TEST(KernelSums, AreSetByTheHost) {
  const KernelSums<Exec> sums(vectors);
  EXPECT_EQ(sums.values(), std::vector<double>(vectors, 0.0));
  const std::vector<double> numbers{1.5, -2, 3};
  sums.set(numbers);
  EXPECT_EQ(sums.values(), numbers);
}

TEST(KernelSums, AreOneForEachVector) {
  const KernelSums<Exec> sums(vectors + 1);
  EXPECT_THROW(exact_sums_of_vectors<double>("sums", TilePolicy<Exec>(tiles, 1, vectors), AddTerms<1>{0}, sums), Error);
}

TEST(Readback, TellsWhatWasThereWhenItWasAsked) {
  const View<double*> values("values", 1000);
  deep_copy(values, 1.0);
  Readback<double, Exec> seen(1000);
  for (int k = 0; k < 5; ++k) {
    scale(values, 2);
    seen.ask(Exec{}, values.data());
    scale(values, 3);
    const double* const numbers = seen.look();
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(numbers[i], 2 * std::pow(6, k)) << k;
  }
  seen.ask(Exec{}, values.data());  // without looking at it
}

}  // namespace kernel_sums_test
}  // namespace trellis
