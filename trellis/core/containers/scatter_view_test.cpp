// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/containers/scatter_view.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/tested_spaces.hpp"

namespace trellis {
namespace {

template <class Exec>
class ScatterViewTest : public testing::Test {
 protected:
  ~ScatterViewTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(ScatterViewTest, TestedSpaces);

double rough(Index i) { return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 13)); }

TYPED_TEST(ScatterViewTest, HasTheSameBitsForAnyThreadCount) {
  using Scatter = ScatterView<double*, TypeParam>;
  constexpr Index cells = 37;
  for (const Index n : {0, 1, 20, 5000}) {
    // The oracle: 32 sums of consecutive parts of the indices, added in order.
    std::vector<double> plain(cells, 1.0), size(cells, 1.0);
    for (Index i = 0; i < n; ++i) {
      plain[static_cast<std::size_t>(i % cells)] += rough(i);
      size[static_cast<std::size_t>(i % cells)] += std::abs(rough(i));
    }
    std::vector<double> first;
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      const View<double*, HostSpace> result("result", cells);
      deep_copy(result, 1.0);
      const Scatter scatter(result);
      parallel_scatter("deposit", RangePolicy<TypeParam>(0, n), scatter,
                       [](Index i, const typename Scatter::Access& to) { to(i % cells) += rough(i); });
      const std::vector<double> now(result.data(), result.data() + cells);
      if (first.empty()) first = now;
      EXPECT_EQ(now, first) << threads << " threads";
      for (std::size_t k = 0; k < cells; ++k) EXPECT_NEAR(now[k], plain[k], 1e-14 * size[k]);
    }
  }
}

// The bits are those of Serial, whatever the space.
TYPED_TEST(ScatterViewTest, HasTheBitsOfEveryHostSpace) {
  const auto sum = []<class Exec>(Exec) {
    using Scatter = ScatterView<double*, Exec>;
    const View<double*, HostSpace> result("result", 3);
    parallel_scatter("deposit", RangePolicy<Exec>(10, 3000), Scatter(result, {}, 7),
                     [](Index i, const typename Scatter::Access& to) { to(i % 3) -= rough(i); });
    return std::vector<double>(result.data(), result.data() + 3);
  };
  set_thread_count(3);
  EXPECT_EQ(sum(TypeParam{}), sum(Serial{}));
}

TYPED_TEST(ScatterViewTest, TakesAnyReducerPolicyAndRank) {
  set_thread_count(3);
  using Scatter = ScatterView<int**, TypeParam, Max<int>>;
  const View<int**, HostSpace> largest("largest", 2, 3);
  deep_copy(largest, -1000);
  largest(1, 2) = 99999;
  const MDRangePolicy<TypeParam, Rank<2>> square({0, 0}, {30, 40});
  parallel_scatter("largest", square, Scatter(largest), [](Index i, Index j, const typename Scatter::Access& to) {
    to(i % 2, j % 3).join(static_cast<int>(100 * i + j));
  });
  EXPECT_EQ(largest(0, 0), 2839);
  EXPECT_EQ(largest(1, 1), 2937);
  EXPECT_EQ(largest(1, 2), 99999) << "what the View held counts";
  EXPECT_THROW(Scatter(largest, {}, 0), Error);
}

struct Tenfold {};

// Adds one to an element, or with the tag ten.
template <class Scatter>
struct OneOrTen {
  using Access = typename Scatter::Access;
  void operator()(Index i, const Access& to) const { to(i % 3) += 1; }
  void operator()(Tenfold, Index i, const Access& to) const { to(i % 3) += 10; }
  void operator()(Index i, Index j, const Access& to) const { to((i + j) % 3) += 1; }
  void operator()(Tenfold, Index i, Index j, const Access& to) const { to((i + j) % 3) += 10; }
};

TYPED_TEST(ScatterViewTest, CallsWithTheTagOfThePolicy) {
  set_thread_count(3);
  using Scatter = ScatterView<int*, TypeParam>;
  const auto sum = [](const auto& policy) {
    const View<int*, HostSpace> result("result", 3);
    parallel_scatter("deposit", policy, Scatter(result), OneOrTen<Scatter>());
    return result(0) + result(1) + result(2);
  };
  EXPECT_EQ(sum(RangePolicy<TypeParam>(0, 1000)), 1000);
  EXPECT_EQ(sum(RangePolicy<TypeParam, Tenfold>(0, 1000)), 10000);
  EXPECT_EQ(sum(RangePolicy<TypeParam, Schedule<Dynamic>, Tenfold>(0, 1000)), 10000);
  EXPECT_EQ(sum(MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {30, 40})), 1200);
  EXPECT_EQ(sum(MDRangePolicy<TypeParam, Rank<2>, Tenfold>({0, 0}, {30, 40})), 12000);
}

}  // namespace
}  // namespace trellis
