// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dispatch.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "trellis/core/profile/profile_listener.hpp"

namespace trellis::bench {
namespace {

TEST(BenchDispatch, EveryDispatchHasAFigure) {
  std::multiset<std::string> kernels;
  for (const auto& figure : dispatch_figures({1, 1e-6}, 2)) {
    kernels.insert(figure.kernel);
    EXPECT_GT(figure.seconds, 0) << figure.kernel;
    ASSERT_EQ(figure.by_hand.has_value(), kernels_on_host) << figure.kernel;
    EXPECT_TRUE(!figure.by_hand || figure.by_hand->seconds > 0) << figure.kernel;
    EXPECT_GT(figure.length, 0) << figure.kernel;
  }
  std::multiset<std::string> expected{"parallel_for",       "parallel_for, listener", "parallel_for, profile",
                                      "parallel_for, team", "parallel_reduce",        "parallel_reduce",
                                      "parallel_scan"};
  if (!kernels_on_host) expected.insert("parallel_for, wait");
  EXPECT_EQ(kernels, expected);
}

// Each is dispatched `calls` times in every repetition, and untimed before.
TEST(BenchDispatch, EveryKernelIsDispatched) {
  std::map<std::string, int> dispatches;
  Listener listener;
  listener.end_kernel = [&](const KernelEvent& event) { ++dispatches[event.kernel.name]; };
  const Listening listening(listener);
  dispatch_figures({1, 1e-6}, 2);
  for (const auto* kernel : {"empty", "team", "sum", "scan"}) EXPECT_GE(dispatches[kernel], 4) << kernel;
}

}  // namespace
}  // namespace trellis::bench
