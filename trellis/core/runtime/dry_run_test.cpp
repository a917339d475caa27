// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/dry_run.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis {
namespace {

TEST(DryRun, KernelsAreRecordedAndDoNotRun) {
  const HostView<double*> x("x", 100), y("y", 100);
  deep_copy(x, 1.0);
  double sum = -1;
  {
    const DryRun run;
    EXPECT_TRUE(in_dry_run());
    parallel_for({"double", 1600, 100}, RangePolicy<DefaultHostExecutionSpace>(0, 100), [=](Index i) { x(i) *= 2; });
    parallel_reduce(
        {"sum", 800, 100, true}, RangePolicy<DefaultHostExecutionSpace>(0, 100),
        [=](Index i, double& part) { part += x(i); }, sum);
    deep_copy(y, x);
    ASSERT_EQ(run.calls().size(), 3U);
    EXPECT_EQ(run.calls()[0].name, "double");
    EXPECT_EQ(run.calls()[0].bytes, 1600);
    EXPECT_EQ(run.calls()[0].flops, 100);
    EXPECT_FALSE(run.calls()[0].result);
    EXPECT_TRUE(run.calls()[1].result);
    EXPECT_TRUE(run.calls()[1].single);
    EXPECT_EQ(sum, 0);
  }
  EXPECT_FALSE(in_dry_run());
  EXPECT_EQ(x(0), 1);
  EXPECT_EQ(y(0), 0);
}

TEST(DryRun, SumsOverTiles) {
  const DryRun run;
  const auto values = exact_sums<double, 2>({"tiles", 80}, TilePolicy<DefaultHostExecutionSpace>(10, 1),
                                            [](int, ExactAccumulator<double>* sums) { sums[0].add(1.0); });
  EXPECT_EQ(values[0], 0);
  ASSERT_EQ(run.calls().size(), 1U);
  EXPECT_TRUE(run.calls()[0].result);
}

TEST(DryRun, LoopsAreGoneRoundOnce) {
  const auto kernel = [](const char* name, double bytes) {
    parallel_for({name, bytes}, RangePolicy<DefaultHostExecutionSpace>(0, 1), [](Index) {});
  };
  DryRun run([](std::string_view loop, int count) {
    return std::vector<double>(std::size_t(count), loop == "outer" ? 10.0 : 2.5);
  });
  EXPECT_EQ(dry_turns("outer", 3), (std::vector<double>{10, 10, 10}));
  {
    const DryLoop outer(dry_turns("outer", 1)[0]);
    kernel("a", 8);
    {
      const DryLoop inner(dry_turns("inner", 1)[0]);
      kernel("b", 16);
      kernel("c", 32);
    }
  }
  kernel("d", 64);
  const auto& calls = run.calls();
  ASSERT_EQ(calls.size(), 4U);
  EXPECT_EQ(calls[0].times, 10);
  EXPECT_EQ(calls[1].times, 25);
  EXPECT_EQ(calls[2].loop_bytes, 48);
  EXPECT_EQ(calls[0].loop_bytes, 56);
  EXPECT_EQ(calls[3].times, 1);
  EXPECT_EQ(calls[3].loop_bytes, 0);
  DryRun other([](std::string_view, int) { return std::vector<double>{1}; });
  EXPECT_THROW(dry_turns("x", 2), Error);
}

TEST(DryRun, KernelsOfAKernelAreItsLaunches) {
  const DryRun run;
  KernelProfile profile;
  {
    const ActiveProfile active(profile);
    const KernelTimer whole({"sweep", 100});
    for (int k = 0; k < 3; ++k) parallel_for({"part", 1}, RangePolicy<DefaultHostExecutionSpace>(0, 1), [](Index) {});
  }
  ASSERT_EQ(run.calls().size(), 1U);
  EXPECT_EQ(run.calls()[0].name, "sweep");
  EXPECT_EQ(run.calls()[0].launches, 3);
  EXPECT_TRUE(profile.kernels().empty());
}

TEST(DryRun, RunsNest) {
  const auto kernel = [] { parallel_for({"a", 1}, RangePolicy<DefaultHostExecutionSpace>(0, 1), [](Index) {}); };
  const DryRun outer;
  kernel();
  {
    const DryRun inner;
    kernel();
    EXPECT_EQ(inner.calls().size(), 1U);
  }
  kernel();
  EXPECT_EQ(outer.calls().size(), 2U);
}

}  // namespace
}  // namespace trellis
