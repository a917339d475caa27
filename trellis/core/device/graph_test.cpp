// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Graphs in host spaces; those in Cuda are tested in backend/cuda/cuda_graph_test.cu.
#include "trellis/core/device/graph.hpp"

#include <gtest/gtest.h>

#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

using Host = DefaultHostExecutionSpace;

TEST(Graph, RunsItsFunctionEachTime) {
  const HostView<double*> a("a", 100);
  int calls = 0;
  const Graph<Host> step = capture(Host{}, [&calls, a] {
    ++calls;
    parallel_for("double", RangePolicy<Host>(0, 100), [=](Index i) { a(i) = 2 * a(i) + 1; });
  });
  EXPECT_EQ(calls, 0);
  for (int n = 0; n < 5; ++n) step.run();
  EXPECT_EQ(calls, 5);
  for (Index i = 0; i < 100; ++i) ASSERT_EQ(a(i), 31);
}

TEST(Graph, IsHeardOfKernelByKernel) {
  KernelProfile profile;
  const ActiveProfile active(profile);
  const auto step = capture(Host{}, [] {
    parallel_for("one", RangePolicy<Host>(0, 10), [](Index) {});
    parallel_for("two", RangePolicy<Host>(0, 10), [](Index) {});
  });
  step.run();
  step.run();
  ASSERT_EQ(profile.kernels().size(), 2U);
  EXPECT_EQ(profile.kernels()[1].calls, 2);
}

}  // namespace
}  // namespace trellis
