// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dispatch.hpp"

#include <gtest/gtest.h>

#include <set>

namespace trellis::bench {
namespace {

TEST(BenchDispatch, EveryDispatchHasAFigure) {
  std::multiset<std::string> kernels;
  for (const auto& figure : dispatch_figures({1, 1e-6}, 2)) {
    kernels.insert(figure.kernel);
    EXPECT_GT(figure.seconds, 0) << figure.kernel;
    EXPECT_GT(figure.by_hand_seconds, 0) << figure.kernel;
    EXPECT_GT(figure.length, 0) << figure.kernel;
  }
  EXPECT_EQ(kernels,
            (std::multiset<std::string>{"parallel_for", "parallel_for, listener", "parallel_for, profile",
                                        "parallel_for, team", "parallel_reduce", "parallel_reduce", "parallel_scan"}));
}

}  // namespace
}  // namespace trellis::bench
