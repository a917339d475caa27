// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/view.hpp"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRELLIS_THREAD_SANITIZER
#endif
#endif

namespace trellis {
namespace {

// Every test runs for every host space and several thread counts; the count is restored after each.
template <class Exec>
class ParallelTest : public testing::Test {
 protected:
  ~ParallelTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(ParallelTest, TestedSpaces);

TYPED_TEST(ParallelTest, ForVisitsEveryIndexOnce) {
  for (const int threads : {1, 3, 4}) {
    set_thread_count(threads);
    for (const Index n : {0, 1, 2, 5, 1000}) {
      const HostView<int*> seen("seen", n + 7);
      parallel_for("visit", RangePolicy<TypeParam>(7, n + 7), [=](Index i) { seen(i) += 1; });
      for (Index i = 0; i < n + 7; ++i) ASSERT_EQ(seen(i), i >= 7 ? 1 : 0);
    }
  }
}

TYPED_TEST(ParallelTest, EmptyAndReversedRangesDoNothing) {
  parallel_for("never", RangePolicy<TypeParam>(5, 5), [](Index) { FAIL(); });
  parallel_for("never", RangePolicy<TypeParam>(5, 2), [](Index) { FAIL(); });
  double sum = 3;
  parallel_reduce("never", RangePolicy<TypeParam>(5, 2), [](Index, double&) { FAIL(); }, sum);
  EXPECT_EQ(sum, 0);
}

template <class Policy>
void expect_md_range_visits_once(const Policy& policy, Index n0, Index n1, Index n2) {
  const HostView<int***> seen("seen", n0 + 1, n1, n2);
  parallel_for("visit", policy, [=](Index i, Index j, Index k) { seen(i, j, k) += 1; });
  for (Index i = 0; i < n0 + 1; ++i)
    for (Index j = 0; j < n1; ++j)
      for (Index k = 0; k < n2; ++k) ASSERT_EQ(seen(i, j, k), i > 0 ? 1 : 0) << i << ' ' << j << ' ' << k;
}

TYPED_TEST(ParallelTest, MDRangeVisitsEveryIndexOnce) {
  using Right = MDRangePolicy<TypeParam, Rank<3>>;
  using Left = MDRangePolicy<TypeParam, Rank<3, Iterate::Left>>;
  set_thread_count(3);
  expect_md_range_visits_once(Right({1, 0, 0}, {6, 7, 4}), 5, 7, 4);
  expect_md_range_visits_once(Right({1, 0, 0}, {6, 7, 4}, {2, 3, 4}), 5, 7, 4);
  expect_md_range_visits_once(Left({1, 0, 0}, {6, 7, 4}, {2, 3, 3}), 5, 7, 4);
}

TYPED_TEST(ParallelTest, MDRangeTakesRanksTwoToSix) {
  Index count = 0;
  using Two = MDRangePolicy<TypeParam, Rank<2>>;
  parallel_reduce("two", Two({0, 0}, {5, 3}), [](Index i, Index j, Index& n) { n += i + 10 * j; }, count);
  EXPECT_EQ(count, 10 * 3 + 10 * 3 * 5);
  using Six = MDRangePolicy<TypeParam, Rank<6>>;
  parallel_reduce(
      "six", Six({0, 0, 0, 0, 0, 0}, {2, 3, 2, 3, 2, 3}, {2, 2, 1, 3, 2, 2}),
      [](Index, Index b, Index, Index d, Index, Index f, Index& n) { n += b + d + f; }, count);
  EXPECT_EQ(count, 216 * 3);
}

TEST(MDRangePolicy, FinishesATileBeforeTheNext) {
  std::vector<std::tuple<Index, Index>> order;
  const auto note = [&order](Index i, Index j) { order.emplace_back(i, j); };
  parallel_for("right", MDRangePolicy<Serial, Rank<2>>({0, 0}, {3, 4}, {2, 2}), note);
  using At = std::tuple<Index, Index>;
  EXPECT_EQ(order,
            (std::vector<At>{
                {0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 0}, {2, 1}, {2, 2}, {2, 3}}));
  order.clear();
  parallel_for("left", MDRangePolicy<Serial, Rank<2, Iterate::Left>>({0, 0}, {3, 2}, {2, 2}), note);
  EXPECT_EQ(order, (std::vector<At>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
}

TEST(MDRangePolicy, TilesThatCannotBeAreErrors) {
  using Policy = MDRangePolicy<Serial, Rank<2>>;
  EXPECT_THROW(Policy({0, 0}, {4, 4}, {0, 1}), Error);
  EXPECT_THROW(Policy({0, 0}, {4, 4}, {1, -2}), Error);
  try {
    Policy({0, 1}, {4, 4}, {4, 4});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "MDRangePolicy: tile extent 4 of dimension 1 is larger than its range of 3");
  }
  EXPECT_EQ(Policy({0, 0}, {0, 4}, {1, 1}).work(), 0);
}

double rough(Index i) { return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 13)); }

TYPED_TEST(ParallelTest, ReduceHasTheSameBitsForAnyThreadCount) {
  for (const Index n : {1, 999, 1024, 1025, 54321}) {
    double plain = 0, size = 0;
    for (Index i = 0; i < n; ++i) plain += rough(i), size += std::abs(rough(i));
    double serial = 0;
    parallel_reduce("sum", RangePolicy<Serial>(0, n), [](Index i, double& s) { s += rough(i); }, serial);
    for (const int threads : {1, 2, 3, 7}) {
      set_thread_count(threads);
      double sum = -1;
      parallel_reduce("sum", RangePolicy<TypeParam>(0, n), [](Index i, double& s) { s += rough(i); }, sum);
      EXPECT_EQ(sum, serial) << n << ' ' << threads;
      EXPECT_NEAR(sum, plain, 1e-15 * size);
    }
  }
}

// Concatenation does not commute: partial results must be joined in order.
struct Interval {
  Index first = -1, last = -1;
  bool broken = false;
};
struct Concatenate {
  using value_type = Interval;
  Interval identity() const { return {}; }
  void join(Interval& into, const Interval& from) const {
    if (from.first < 0) return;
    if (into.first < 0) {
      into = from;
      return;
    }
    into.broken = into.broken || from.broken || into.last + 1 != from.first;
    into.last = from.last;
  }
};

TYPED_TEST(ParallelTest, ReduceTakesAnyReducer) {
  set_thread_count(3);
  const RangePolicy<TypeParam> range(3, 5000);
  const Concatenate concatenate;
  Interval all;
  parallel_reduce("order", range, [=](Index i, Interval& s) { concatenate.join(s, {i, i, false}); }, all, concatenate);
  EXPECT_EQ(all.first, 3);
  EXPECT_EQ(all.last, 4999);
  EXPECT_FALSE(all.broken);

  double largest = 0, smallest = 0;
  parallel_reduce("max", range, [](Index i, double& m) { m = std::max(m, -double(i)); }, largest, Max<double>{});
  parallel_reduce("min", range, [](Index i, double& m) { m = std::min(m, -double(i)); }, smallest, Min<double>{});
  EXPECT_EQ(largest, -3);
  EXPECT_EQ(smallest, -4999);

  const double infinity = std::numeric_limits<double>::infinity();
  parallel_reduce("min", range, [=](Index, double& m) { m = std::min(m, infinity); }, smallest, Min<double>{});
  EXPECT_EQ(smallest, infinity);

  ValueLoc<int> where{};
  const auto hill = [](Index i) { return -std::abs(static_cast<int>(i) - 1234) / 2; };
  parallel_reduce(
      "maxloc", range, [=](Index i, ValueLoc<int>& m) { MaxLoc<int>{}.join(m, {hill(i), i}); }, where, MaxLoc<int>{});
  EXPECT_EQ(where.value, 0);
  EXPECT_EQ(where.index, 1233);

  std::array<Index, 3> sums{};
  parallel_reduce("array", range, [](Index i, std::array<Index, 3>& s) { s[i % 3] += 1; }, sums);
  EXPECT_EQ(sums, (std::array<Index, 3>{1666, 1666, 1665}));

  long product = 0;
  parallel_reduce("prod", RangePolicy<TypeParam>(1, 11), [](Index i, long& p) { p *= i; }, product, Prod<long>{});
  EXPECT_EQ(product, 3628800);
}

// As many results as the caller asks for at run time.
TYPED_TEST(ParallelTest, ReduceTakesArraysOfAnyLength) {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    for (const std::size_t length : {1, 7, 300}) {
      std::vector<double> sums(length, -1.0);
      const auto add = [=](Index i, double* s) { s[static_cast<std::size_t>(i) % length] += static_cast<double>(i); };
      parallel_reduce("histogram", RangePolicy<TypeParam>(0, 5000), add, std::span(sums));
      std::vector<double> expected(length, 0.0);
      for (Index i = 0; i < 5000; ++i) expected[static_cast<std::size_t>(i) % length] += static_cast<double>(i);
      EXPECT_EQ(sums, expected);
      parallel_reduce("nothing", RangePolicy<TypeParam>(0, 0), add, std::span(sums));
      EXPECT_EQ(sums, std::vector<double>(length, 0.0));
    }
    std::vector<int> largest(2);
    using Policy = MDRangePolicy<TypeParam, Rank<2>>;
    parallel_reduce(
        "largest", Policy({0, 0}, {20, 30}),
        [](Index i, Index j, int* m) {
          m[0] = std::max(m[0], static_cast<int>(i - j));
          m[1] = std::max(m[1], static_cast<int>(j - i));
        },
        std::span(largest), Max<int>{});
    EXPECT_EQ(largest, (std::vector<int>{19, 29}));
  }
}

TYPED_TEST(ParallelTest, ScanIsExclusiveWithTotal) {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    for (const Index n : {0, 1, 1023, 1024, 5000}) {
      const HostView<Index*> before("before", n);
      Index total = -1;
      parallel_scan(
          "scan", RangePolicy<TypeParam>(0, n),
          [=](Index i, Index& sum, bool final) {
            if (final) before(i) = sum;
            sum += i % 5;
          },
          total);
      Index expected = 0;
      for (Index i = 0; i < n; ++i) {
        ASSERT_EQ(before(i), expected);
        expected += i % 5;
      }
      EXPECT_EQ(total, expected);
    }
  }
}

TYPED_TEST(ParallelTest, ExceptionsReachTheCaller) {
  set_thread_count(4);
  const auto thrower = [](Index i) {
    if (i % 25 == 24) fail("kernel failed at {}", i);
  };
  try {
    parallel_for("throws", RangePolicy<TypeParam>(0, 100), thrower);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "kernel failed at 24");  // the lowest of four that failed
  }
  double sum = 5;
  const auto reduce = [](Index i, double&) {
    if (i == 50) fail("reduction failed");
  };
  EXPECT_THROW(parallel_reduce("throws", RangePolicy<TypeParam>(0, 100), reduce, sum), Error);
  EXPECT_EQ(sum, 5) << "a failed reduction leaves its result alone";
  parallel_for("works after", RangePolicy<TypeParam>(0, 100), [](Index) {});
}

TYPED_TEST(ParallelTest, MayBeNested) {
  std::atomic<int> count = 0;
  parallel_for("outer", RangePolicy<TypeParam>(0, 10),
               [&](Index) { parallel_for("inner", RangePolicy<TypeParam>(0, 10), [&](Index) { ++count; }); });
  EXPECT_EQ(count, 100);
}

// libgomp's do not exist in a child of a process that has used them.
TEST(Spaces, AForkedProcessHasThreadsOfItsOwn) {
#if defined(__SANITIZE_THREAD__) || defined(TRELLIS_THREAD_SANITIZER)
  GTEST_SKIP() << "the sanitizer ends forked processes that start threads";
#endif
  const int before = concurrency();
  set_thread_count(2);
  const auto sum = [] {
    double total = 0;
    parallel_reduce(
        "sum", RangePolicy<DefaultHostExecutionSpace>(0, 1000), [](Index i, double& part) { part += double(i); },
        total);
    return total;
  };
  EXPECT_EQ(sum(), 499500);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    ::_exit(sum() == 499500 && concurrency() == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  set_thread_count(before);
}

TEST(Spaces, ThreadCount) {
  const int before = concurrency();
  EXPECT_GE(before, 1);
  set_thread_count(3);
#if defined(TRELLIS_HAS_OPENMP)
  EXPECT_EQ(concurrency(), 3);
#endif
  set_thread_count(before);
  EXPECT_THROW(set_thread_count(0), InputError);
  fence();
}

}  // namespace
}  // namespace trellis
