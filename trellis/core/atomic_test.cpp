// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/atomic.hpp"

#include <gtest/gtest.h>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

template <class Exec>
class AtomicTest : public testing::Test {
 protected:
  AtomicTest() { set_thread_count(4); }
  ~AtomicTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(AtomicTest, TestedSpaces);

struct Pair {
  float a, b;
};

// Every update arrives, whoever comes between: counts and sums of small integers are exact in any order.
TYPED_TEST(AtomicTest, NoUpdateIsLost) {
  constexpr Index n = 20000;
  const View<int*, HostSpace> histogram("histogram", 3);
  const View<double, HostSpace> sum("sum");
  const View<float, HostSpace> single_sum("single");
  const View<std::uint8_t, HostSpace> wrapping("wrapping");
  const View<Index, HostSpace> largest("largest"), smallest("smallest");
  const View<double, HostSpace> highest("highest");
  const View<std::uint64_t, HostSpace> bits("bits"), all("all");
  const View<Pair, HostSpace> pair("pair");
  all() = ~std::uint64_t{0};
  parallel_for("updates", RangePolicy<TypeParam>(0, n), [=](Index i) {
    atomic_add(&histogram(i % 3), 1);
    atomic_add(&sum(), 0.5);
    atomic_add(&single_sum(), 1.0F);
    atomic_add(&wrapping(), std::uint8_t{1});
    atomic_max(&largest(), i);
    atomic_min(&smallest(), -i);
    atomic_max(&highest(), 0.25 * static_cast<double>(i));
    static_cast<void>(atomic_fetch_or(&bits(), std::uint64_t{1} << (i % 64)));
    static_cast<void>(atomic_fetch_and(&all(), ~(std::uint64_t{1} << (i % 32))));
    static_cast<void>(atomic_fetch_update(&pair(), [](Pair p) { return Pair{p.a + 1, p.b - 1}; }));
  });
  EXPECT_EQ(histogram(0), 6667);
  EXPECT_EQ(histogram(2), 6666);
  EXPECT_EQ(sum(), n / 2);
  EXPECT_EQ(single_sum(), n);
  EXPECT_EQ(wrapping(), n % 256);
  EXPECT_EQ(largest(), n - 1);
  EXPECT_EQ(smallest(), -(n - 1));
  EXPECT_EQ(highest(), 0.25 * (n - 1));
  EXPECT_EQ(bits(), ~std::uint64_t{0});
  EXPECT_EQ(all(), ~std::uint64_t{0} << 32);
  EXPECT_EQ(pair().a, n);
  EXPECT_EQ(pair().b, -n);
}

// What was there is given to one thread only.
TYPED_TEST(AtomicTest, FetchedValuesAreEachSeenOnce) {
  constexpr Index n = 5000;
  const View<Index, HostSpace> next("next"), down("down");
  const View<int*, HostSpace> taken("taken", n), untaken("untaken", n);
  down() = n;
  parallel_for("take", RangePolicy<TypeParam>(0, n), [=](Index) {
    taken(atomic_fetch_add(&next(), 1)) += 1;
    untaken(atomic_fetch_sub(&down(), 1) - 1) += 1;
  });
  for (Index i = 0; i < n; ++i) ASSERT_TRUE(taken(i) == 1 && untaken(i) == 1) << i;
}

TEST(Atomic, ExchangesReturnWhatWasThere) {
  double x = 1.5;
  EXPECT_EQ(atomic_exchange(&x, 2), 1.5);
  EXPECT_EQ(atomic_compare_exchange(&x, 7.0, 3.0), 2);
  EXPECT_EQ(x, 2);
  EXPECT_EQ(atomic_compare_exchange(&x, 2.0, 3.0), 2);
  EXPECT_EQ(atomic_load(&x), 3);
  atomic_store(&x, -1);
  EXPECT_EQ(x, -1);
}

}  // namespace
}  // namespace trellis
