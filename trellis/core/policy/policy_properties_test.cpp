// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/policy/policy_properties.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <set>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/core/tile_policy.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

template <class Exec>
class PolicyPropertiesTest : public testing::Test {
 protected:
  ~PolicyPropertiesTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(PolicyPropertiesTest, TestedSpaces);

struct Fill {};
struct Count {};
struct Before {};

// One functor with several kernels.
struct Ramp {
  HostView<double*> line;
  HostView<double**> plane;
  void operator()(Fill, Index i) const { line(i) = static_cast<double>(i); }
  void operator()(Fill, Index i, Index j) const { plane(i, j) = static_cast<double>(10 * i + j); }
  void operator()(Count, Index i, double& sum) const { sum += line(i); }
  void operator()(Count, Index i, double* sums) const { sums[i % 2] += line(i); }
  void operator()(Before, Index i, double& sum, bool final) const {
    const double own = line(i);
    if (final) line(i) = sum;
    sum += own;
  }
  template <class Team>
    requires requires(const Team& team) { team.league_rank(); }
  void operator()(Fill, const Team& team) const {
    line(team.league_rank()) = -1.0;
  }
  template <class Team>
    requires requires(const Team& team) { team.league_rank(); }
  void operator()(Count, const Team& team, double& sum) const {
    sum += line(team.league_rank());
  }
};

TYPED_TEST(PolicyPropertiesTest, TagsChooseAKernelOfTheFunctor) {
  using Exec = TypeParam;
  set_thread_count(3);
  constexpr Index n = 100;
  const Ramp ramp{HostView<double*>("line", n), HostView<double**>("plane", 4, 5)};
  parallel_for("fill", RangePolicy<Exec, Fill>(0, n), ramp);
  parallel_for("fill", MDRangePolicy<Exec, Rank<2>, Fill>({0, 0}, {4, 5}), ramp);
  EXPECT_EQ(ramp.line(99), 99);
  EXPECT_EQ(ramp.plane(3, 4), 34);
  double sum = 0;
  parallel_reduce("count", RangePolicy<Exec, Count>(0, n), ramp, sum);
  EXPECT_EQ(sum, 4950);
  std::vector<double> sums(2);
  parallel_reduce("count", RangePolicy<Exec, Count>(0, n), ramp, std::span(sums));
  EXPECT_EQ(sums, (std::vector<double>{2450, 2500}));
  parallel_scan("before", RangePolicy<Exec, Before>(0, n), ramp, sum);
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(ramp.line(99), 4950 - 99);
  parallel_for("fill", TeamPolicy<Exec, Fill>(n), ramp);
  parallel_reduce("count", TeamPolicy<Exec, Count>(n), ramp, sum);
  EXPECT_EQ(sum, -n);
}

TEST(PolicyProperties, AreFoundInAnyOrder) {
  using One = RangePolicy<Serial, Fill, Schedule<Dynamic>, LaunchBounds<128, 4>>;
  using Two = RangePolicy<Serial, LaunchBounds<128, 4>, Fill, Schedule<Dynamic>>;
  const auto expect = []<class Policy>(std::type_identity<Policy>) {
    EXPECT_TRUE((std::is_same_v<typename Policy::work_tag, Fill>));
    EXPECT_TRUE(Policy::schedule::is_dynamic);
    EXPECT_EQ(Policy::launch_bounds::threads, 128);
    EXPECT_EQ(Policy::launch_bounds::blocks, 4);
  };
  expect(std::type_identity<One>{});
  expect(std::type_identity<Two>{});
  using Plain = TeamPolicy<Serial>;
  EXPECT_TRUE(std::is_void_v<Plain::work_tag>);
  EXPECT_FALSE(Plain::schedule::is_dynamic);
  EXPECT_EQ(Plain(3).chunk_size(), 0);
}

TEST(PolicyProperties, AChunkHasUnits) {
  EXPECT_THROW(RangePolicy<Serial>(0, 5).set_chunk_size(0), Error);
  EXPECT_EQ(RangePolicy<Serial>(0, 5).set_chunk_size(3).chunk_size(), 3);
}

// Every unit once, whatever the schedule, the chunk and the policy.
template <class Policy>
void expect_once(Policy policy, const HostView<int*>& seen) {
  deep_copy(seen, 0);
  if constexpr (requires { policy.league_size(); }) {
    parallel_for("visit", policy, [=](const typename Policy::Member& team) {
      if (team.team_rank() == 0) seen(team.league_rank()) += 1;
    });
  } else if constexpr (requires { policy.tile_size(); }) {
    parallel_for("visit", policy, [=](Index i, Index j) { seen(10 * i + j) += 1; });
  } else {
    parallel_for("visit", policy, [=](Index i) { seen(i) += 1; });
  }
  for (Index i = 0; i < seen.extent(0); ++i) ASSERT_EQ(seen(i), 1) << i;
}

TYPED_TEST(PolicyPropertiesTest, EveryScheduleVisitsEachUnitOnce) {
  using Exec = TypeParam;
  const HostView<int*> seen("seen", 230), few("few", 40);
  const int largest = std::is_same_v<Exec, Serial> ? 1 : 2;
  for (const int threads : {1, 3, 4}) {
    set_thread_count(threads);
    for (const Index chunk : {1, 7, 1000}) {
      expect_once(RangePolicy<Exec>(0, 230).set_chunk_size(chunk), seen);
      expect_once(RangePolicy<Exec, Schedule<Dynamic>>(0, 230).set_chunk_size(chunk), seen);
      expect_once(MDRangePolicy<Exec, Rank<2>, Schedule<Dynamic>>({0, 0}, {23, 10}, {5, 3}).set_chunk_size(chunk),
                  seen);
      for (const int size : {1, largest}) {
        if (size > threads) continue;
        expect_once(TeamPolicy<Exec>(40, size).set_chunk_size(chunk), few);
        expect_once(TeamPolicy<Exec, Schedule<Dynamic>>(40, size).set_chunk_size(chunk), few);
      }
    }
    expect_once(RangePolicy<Exec, Schedule<Dynamic>>(0, 230), seen);
    expect_once(TeamPolicy<Exec, Schedule<Dynamic>>(230), seen);
  }
}

double rough_number(Index i) { return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 13)); }

// The bits of reductions and scans do not depend on the schedule.
TYPED_TEST(PolicyPropertiesTest, NoScheduleChangesABit) {
  using Exec = TypeParam;
  const auto add = [](Index i, double& sum) { sum += rough_number(i); };
  for (const Index n : {100, 54321}) {
    double plain = 0, last = 0;
    parallel_reduce("sum", RangePolicy<Serial>(0, n), add, plain);
    const auto scan = [=, &last](Index i, double& sum, bool final) {
      if (final && i == n - 1) last = sum;
      sum += rough_number(i);
    };
    double total = 0;
    parallel_scan("scan", RangePolicy<Serial>(0, n), scan, total);
    const double expected_last = last, expected_total = total;
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      double sum = 0;
      parallel_reduce("sum", RangePolicy<Exec, Schedule<Dynamic>>(0, n), add, sum);
      EXPECT_EQ(sum, plain);
      parallel_reduce("sum", RangePolicy<Exec>(0, n).set_chunk_size(3), add, sum);
      EXPECT_EQ(sum, plain);
      last = 0;
      parallel_scan("scan", RangePolicy<Exec, Schedule<Dynamic>>(0, n), scan, total);
      EXPECT_EQ(total, expected_total);
      EXPECT_EQ(last, expected_last);
    }
  }
}

#if !defined(TRELLIS_TEST_KOKKOS)
template <class Exec>
class ThreadedPolicyTest : public PolicyPropertiesTest<Exec> {};
#if defined(TRELLIS_HAS_OPENMP)
using ThreadedSpaces = testing::Types<Threads, OpenMP>;
#else
using ThreadedSpaces = testing::Types<Threads>;
#endif
TYPED_TEST_SUITE(ThreadedPolicyTest, ThreadedSpaces);

// Unit 0 ends only when all others have: with a dynamic schedule other threads do them meanwhile. A static one would
// leave those of its part to the thread that waits.
template <class Policy>
void expect_balance(const Policy& policy, Index units) {
  std::atomic<Index> done = 0;
  std::atomic<bool> gave_up = false;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto work = [&](Index unit) {
    while (unit == 0 && done < units - 1 && !gave_up) {
      if (std::chrono::steady_clock::now() > until) gave_up = true;
      std::this_thread::yield();
    }
    ++done;
  };
  if constexpr (requires { policy.league_size(); }) {
    parallel_for("work", policy, [&](const typename Policy::Member& team) {
      if (team.team_rank() == 0) work(team.league_rank());
    });
  } else {
    parallel_for("work", policy, work);
  }
  EXPECT_FALSE(gave_up) << "the others waited for the thread that had more to do";
  EXPECT_EQ(done, units);
}

TYPED_TEST(ThreadedPolicyTest, DynamicSchedulesBalanceLoads) {
  using Exec = TypeParam;
  set_thread_count(4);
  using Policy = RangePolicy<Exec, Schedule<Dynamic>>;
  expect_balance(Policy(0, 200).set_chunk_size(1), 200);
  using Teams = TeamPolicy<Exec, Schedule<Dynamic>>;
  expect_balance(Teams(50, 1).set_chunk_size(1), 50);
  expect_balance(Teams(50, 2).set_chunk_size(1), 50);
}

// Who ran each unit.
template <class Policy>
std::vector<std::thread::id> runners(const Policy& policy, Index units) {
  std::vector<std::thread::id> by(static_cast<std::size_t>(units));
  parallel_for("who", policy, [&](Index i) { by[static_cast<std::size_t>(i)] = std::this_thread::get_id(); });
  return by;
}

TYPED_TEST(ThreadedPolicyTest, StaticSchedulesAreFixed) {
  using Exec = TypeParam;
  set_thread_count(3);
  const auto whole = runners(RangePolicy<Exec>(0, 100), 100);
  EXPECT_EQ(std::set(whole.begin(), whole.end()).size(), 3U);
  for (std::size_t i = 1; i < 100; ++i) {
    if (i == 34 || i == 67) continue;
    EXPECT_EQ(whole[i], whole[i - 1]) << "one part for each thread: " << i;
  }
  const auto dealt = runners(RangePolicy<Exec>(0, 100).set_chunk_size(4), 100);
  EXPECT_EQ(std::set(dealt.begin(), dealt.end()).size(), 3U);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(dealt[i], dealt[i / 4 % 3 * 4]) << "every third chunk: " << i;
  EXPECT_EQ(runners(RangePolicy<Exec>(0, 100), 100), whole) << "the same threads every time";
}

// Kernels over tiles, and their exact sums, in every space: the same bits.
template <class Exec>
double sum_of_tiles() {
  using S = simd<double, 4>;
  const auto sums = exact_sums<S, 1>("sum", TilePolicy<Exec>(1000, 4),
                                     [](int tile, ExactAccumulator<S>* sum) { sum[0].add(S(rough_number(tile))); });
  return sums[0];
}

TYPED_TEST(ThreadedPolicyTest, RunsTiles) {
  set_thread_count(3);
  EXPECT_EQ(sum_of_tiles<TypeParam>(), sum_of_tiles<Serial>());
  const HostView<int*> seen("seen", 1000);
  parallel_for("visit", TilePolicy<TypeParam>(1000, 4), [=](int tile) { seen(tile) += 1; });
  for (Index tile = 0; tile < 1000; ++tile) ASSERT_EQ(seen(tile), 1);
}

TYPED_TEST(ThreadedPolicyTest, AnExceptionEndsDynamicWork) {
  using Exec = TypeParam;
  set_thread_count(4);
  std::atomic<int> ran = 0;
  const auto thrower = [&](Index i) {
    if (i == 500) fail("unit {} failed", i);
    ++ran;
  };
  EXPECT_THROW(parallel_for("throws", RangePolicy<Exec, Schedule<Dynamic>>(0, 1000).set_chunk_size(1), thrower), Error);
  EXPECT_LE(ran, 999);
  EXPECT_GE(ran, 999 - 499 + 1 - 1) << "the other threads went on";
  const auto of_team = [](const typename TeamPolicy<Exec>::Member& team) {
    if (team.league_rank() == 7 && team.team_rank() == 1) fail("team failed");
    team.team_barrier();
  };
  EXPECT_THROW(parallel_for("throws", TeamPolicy<Exec, Schedule<Dynamic>>(20, 2).set_chunk_size(1), of_team), Error);
  parallel_for("works after", RangePolicy<Exec>(0, 100), [](Index) {});
}
#endif

}  // namespace
}  // namespace trellis
