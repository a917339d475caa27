// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_table.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"

namespace trellis {
namespace {

using HostRange = RangePolicy<DefaultHostExecutionSpace>;
using Vector = View<double*, LayoutRight, HostSpace>;

void dispatch(const Kernel& kernel) {
  parallel_for(kernel, RangePolicy<Serial>(0, 1),
               [](Index) { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
}

std::vector<std::string> paths(const std::vector<RegionTotals>& all) {
  std::vector<std::string> names;
  for (const auto& region : all) names.push_back(std::string(std::size_t(region.depth), ' ') + region.name);
  return names;
}

TEST(ProfileTable, AddsUp) {
  ProfileTable table;
  const Listening listening(table.listener());
  dispatch({"k", 8, 4});
  for (int n = 0; n < 2; ++n) {
    const Region solve("solve");
    dispatch({"k", 8, 4});
    const Region inner("inner");
    dispatch({"k", 16, 2});
    dispatch({"k", 1, 1, true});
  }
  std::thread([] {
    const Region solve("solve");
    dispatch({"k", 8, 4});
  }).join();

  const auto all = table.regions();
  ASSERT_EQ(paths(all), (std::vector<std::string>{"", " solve", "  inner"}));
  const auto &root = all[0], &solve = all[1], &inner = all[2];
  EXPECT_EQ(solve.calls, 3);
  EXPECT_EQ(inner.calls, 2);
  ASSERT_EQ(root.kernels.size(), 1U);
  EXPECT_EQ(root.kernels[0].calls, 1);
  ASSERT_EQ(solve.kernels.size(), 1U);
  EXPECT_EQ(solve.kernels[0].calls, 3);
  EXPECT_EQ(solve.kernels[0].bytes, 24);
  ASSERT_EQ(inner.kernels.size(), 2U);
  EXPECT_EQ(inner.kernel_bytes, 2 * (16 + 1));
  EXPECT_EQ(inner.kernel_flops, 2 * (2 + 1));
  EXPECT_EQ(solve.kernel_bytes, 24 + inner.kernel_bytes);
  EXPECT_EQ(root.kernel_bytes, 8 + solve.kernel_bytes);
  EXPECT_EQ(root.kernel_flops, 4 + 12 + inner.kernel_flops);

  double inner_kernels = 0;
  for (const auto& kernel : inner.kernels) inner_kernels += kernel.seconds;
  EXPECT_DOUBLE_EQ(inner.kernel_seconds, inner_kernels);
  EXPECT_DOUBLE_EQ(solve.kernel_seconds, inner_kernels + solve.kernels[0].seconds);
  EXPECT_DOUBLE_EQ(root.kernel_seconds, solve.kernel_seconds + root.kernels[0].seconds);
  EXPECT_LE(inner.kernel_seconds, inner.seconds);
  EXPECT_LE(inner.seconds, solve.seconds);
  EXPECT_LE(solve.kernel_seconds, solve.seconds);
  EXPECT_LE(root.kernel_seconds, root.seconds);
  EXPECT_GE(root.kernel_seconds, 8 * 50e-6);
  EXPECT_EQ(table.threads(), 2);
}

TEST(ProfileTable, OneNameInTwoRegionsIsTwoRegions) {
  ProfileTable table;
  const Listening listening(table.listener());
  for (const char* outer : {"a", "b"}) {
    const Region region(outer);
    const Region inner("same");
    dispatch(outer);
  }
  const auto all = table.regions();
  ASSERT_EQ(all.size(), 5U);
  for (const int r : {1, 3}) {
    EXPECT_EQ(all[r + 1].name, "same");
    ASSERT_EQ(all[r + 1].kernels.size(), 1U);
    EXPECT_EQ(all[r + 1].kernels[0].name, all[r].name);
  }
}

TEST(ProfileTable, ARegionThatIsOpenCounts) {
  ProfileTable table;
  const Listening listening(table.listener());
  const Region region("open");
  dispatch("k");
  EXPECT_GE(table.regions()[1].seconds, table.regions()[1].kernel_seconds);
}

TEST(ProfileTable, AnExceptionLeavesTheRegionsRight) {
  ProfileTable table;
  const Listening listening(table.listener());
  for (int n = 0; n < 2; ++n) {
    try {
      const Region outer("outer");
      const Region inner("inner");
      parallel_for("throws", HostRange(0, 4), [](Index) { fail("no"); });
    } catch (const Error&) {
    }
  }
  dispatch("after");
  const auto all = table.regions();
  ASSERT_EQ(paths(all), (std::vector<std::string>{"", " outer", "  inner"}));
  EXPECT_EQ(all[0].kernels.at(0).name, "after");
  EXPECT_EQ(all[2].kernels.at(0).calls, 2);
}

TEST(ProfileTable, KnowsHowMuchMemoryThereWasAtOnce) {
  const Vector before("before", 1000);
  ProfileTable table;
  const Listening listening(table.listener());
  {
    const Vector x("x", 100), y("y", 50);
    const Vector also(uninitialized, "x", 100);
  }
  {
    const Vector x("x", 150);
    EXPECT_EQ(table.memory().at(0).now, 1200U);
  }
  const auto memory = table.memory();
  ASSERT_EQ(memory.size(), 1U);
  EXPECT_EQ(memory[0].space, "HostSpace");
  EXPECT_EQ(memory[0].now, 0U);
  EXPECT_EQ(memory[0].most, 2000U);
  ASSERT_EQ(memory[0].labels.size(), 2U);
  EXPECT_EQ(memory[0].labels[0].label, "x");
  EXPECT_EQ(memory[0].labels[0].most, 1600U);
  EXPECT_EQ(memory[0].labels[0].allocations, 3);
  EXPECT_EQ(memory[0].labels[1].most, 400U);
  EXPECT_EQ(table.allocations().calls, 4);
  EXPECT_EQ(table.allocations().bytes, 3200);
}

TEST(ProfileTable, CountsCopiesBothWays) {
  const Vector x("x", 100), y("y", 100);
  ProfileTable table;
  const Listening listening(table.listener());
  deep_copy(y, x);
  deep_copy(y, 1.0);
  EXPECT_EQ(table.copies().calls, 2);
  EXPECT_EQ(table.copies().bytes, 3 * 800);
  EXPECT_GE(table.copies().seconds, table.regions()[0].kernel_seconds);
}

TEST(ProfileTable, SaysAllThisInLines) {
  ProfileTable table;
  const Listening listening(table.listener());
  const Vector x("a label", 1 << 17);
  {
    const Region solve("solve");
    dispatch({"rates", 1e3, 1e3});
    dispatch({"single", 0, 1e3, true});
    dispatch("no rates");
  }
  const auto text = table.text();
  for (const char* part : {"dispatched by 1 thread\n", "\n  [solve]    ", "\n    rates    ", "\n    single, single ",
                           "\n    no rates ", "\n  trellis::allocate ", "\n  outside kernels ", "\n  deep_copy ",
                           "'a label' 1 MiB", "HostSpace: 1 MiB at most at once, 1 MiB now"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

}  // namespace
}  // namespace trellis
