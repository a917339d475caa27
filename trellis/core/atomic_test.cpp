// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/atomic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

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

// Each operation against the same operations done one after another; fetched values are the steps between.
template <class T>
class AtomicNumberTest : public testing::Test {};
using AtomicNumbers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                     std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(AtomicNumberTest, AtomicNumbers);

TYPED_TEST(AtomicNumberTest, FetchesAsPlainCodeWould) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  const T values[] = {T(0), T(1), T(7), T(100), T(-1), T(-3), Limits::lowest(), Limits::max(), T(85), T(60)};
  T x = T(5);
  for (const T v : values) {
    T before = x;
    EXPECT_EQ(atomic_fetch_min(&x, v), before);
    EXPECT_EQ(x, std::min(before, v));
    x = before;
    EXPECT_EQ(atomic_fetch_max(&x, v), before);
    EXPECT_EQ(x, std::max(before, v));
    if constexpr (std::is_integral_v<T>) {
      using Word = std::make_unsigned_t<T>;
      x = before = T(90);
      EXPECT_EQ(atomic_fetch_sub(&x, v), before);
      EXPECT_EQ(x, static_cast<T>(static_cast<Word>(Word(before) - Word(v)))) << "wraps around";
      before = x;
      EXPECT_EQ(atomic_fetch_add(&x, v), before);
      EXPECT_EQ(x, T(90));
      EXPECT_EQ(atomic_fetch_and(&x, v), T(90));
      EXPECT_EQ(x, static_cast<T>(T(90) & v));
      x = T(90);
      EXPECT_EQ(atomic_fetch_or(&x, v), T(90));
      EXPECT_EQ(x, static_cast<T>(T(90) | v));
      x = T(90);
      EXPECT_EQ(atomic_fetch_xor(&x, v), T(90));
      EXPECT_EQ(x, static_cast<T>(T(90) ^ v));
    } else {
      x = T(90);
      EXPECT_EQ(atomic_fetch_sub(&x, v), T(90));
      EXPECT_EQ(x, T(90) - v);
    }
    x = T(5);
  }
}

// Minima and maxima have the same bits whatever the order: -0 < 0, and NaN is never chosen.
TEST(Atomic, ExtremesOfZerosAndNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double x = 0.0;
  atomic_min(&x, -0.0);
  EXPECT_TRUE(std::signbit(x));
  atomic_min(&x, 0.0);
  EXPECT_TRUE(std::signbit(x));
  atomic_max(&x, 0.0);
  EXPECT_FALSE(std::signbit(x));
  atomic_max(&x, -0.0);
  EXPECT_FALSE(std::signbit(x));
  EXPECT_EQ(atomic_fetch_max(&x, nan), 0);
  EXPECT_EQ(atomic_fetch_min(&x, nan), 0);
  EXPECT_EQ(x, 0);
}

// Elements of a View with the trait Atomic: the same counts as with the functions, in any number of threads.
TYPED_TEST(AtomicTest, ElementsOfAnAtomicView) {
  constexpr Index n = 20000;
  const HostView<int*> histogram("histogram", 5);
  const HostView<std::uint64_t*> bits("bits", 3);
  const HostView<double*> extremes("extremes", 2);
  bits(1) = ~std::uint64_t{0};
  const HostView<int*, Atomic> counts = histogram;
  const HostView<std::uint64_t*, Atomic> words = bits;
  const HostView<double*, Atomic> ends = extremes;
  parallel_for("updates", RangePolicy<TypeParam>(0, n), [=](Index i) {
    counts(0) += 2;
    counts(1) -= 1;
    ++counts(2);
    counts(3)--;
    words(0) |= std::uint64_t{1} << (i % 60);
    words(1) &= ~(std::uint64_t{1} << (i % 60));
    words[2] ^= std::uint64_t(i);
    ends(0).fetch_min(-double(i));
    ends(1).fetch_max(double(i));
  });
  std::uint64_t parity = 0;
  for (Index i = 0; i < n; ++i) parity ^= std::uint64_t(i);
  EXPECT_EQ(histogram(0), 2 * n);
  EXPECT_EQ(histogram(1), -n);
  EXPECT_EQ(histogram(2), n);
  EXPECT_EQ(histogram(3), -n);
  EXPECT_EQ(bits(0), (std::uint64_t{1} << 60) - 1);
  EXPECT_EQ(bits(1), ~((std::uint64_t{1} << 60) - 1));
  EXPECT_EQ(bits(2), parity);
  EXPECT_EQ(extremes(0), 1.0 - n);
  EXPECT_EQ(extremes(1), n - 1.0);
  counts(4) = counts(2);  // copies the number
  EXPECT_EQ(histogram(4), n);
  EXPECT_EQ(counts(4).compare_exchange(n, 3), n);
  EXPECT_EQ(counts(4).exchange(7), 3);
  const HostView<const int*, Atomic> read = histogram;
  EXPECT_EQ(read(4), 7);
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
