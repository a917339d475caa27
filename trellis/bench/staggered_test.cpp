// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/staggered.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/wide_lanes.hpp"

namespace trellis::bench {
namespace {

template <class T, int W>
void every_kernel_has_figures() {
  const std::vector<int> right_hand_sides{1, 3};
  const Coordinate size{4, 4, 4, 4};
  auto figures = staggered_hops<T, W>(size, right_hand_sides, {1, 1e-6});
  for (const auto& figure : staggered_kernels<T, W>(size, right_hand_sides, {1, 1e-6})) figures.push_back(figure);
  std::map<std::string, int> rows;
  for (const auto& figure : figures) {
    ++rows[figure.kernel];
    EXPECT_EQ(figure.lanes, W);
    EXPECT_GT(figure.flops, 0) << figure.kernel;
    EXPECT_GT(figure.bytes, 0) << figure.kernel;
    EXPECT_GT(figure.mix_bytes, 0) << figure.kernel;
    EXPECT_GT(figure.mix_seconds, 0) << figure.kernel;
    // The time of an iteration is a difference of times, which can be negative on a busy machine.
    if (figure.kernel.find("iter") == std::string::npos) {
      EXPECT_GT(figure.seconds, 0) << figure.kernel;
    }
    if (figure.kernel == "D_eo 16-bit") {
      EXPECT_EQ(figure.bytes, 128.0 * (192 + 2 * (12 + 4) * figure.vectors));
    }
    if (figure.kernel == "D_eo") {
      EXPECT_EQ(figure.flops, 128 * 570.0 * figure.vectors);
      EXPECT_EQ(figure.bytes, 128.0 * (96 + 12 * figure.vectors) * sizeof(T));
      EXPECT_EQ(figure.bytes, figure.mix_bytes);
    }
    if (figure.kernel == "D_eo HISQ") {
      EXPECT_EQ(figure.flops, 128 * 1146.0 * figure.vectors);
      EXPECT_EQ(figure.bytes, 128.0 * (256 + 12 * figure.vectors) * sizeof(T));
      EXPECT_EQ(figure.bytes, figure.mix_bytes);
    }
  }
  std::map<std::string, int> expected{{"D_eo", 2},           {"D_eo HISQ", 2},         {"operator", 1},
                                      {"CG iteration", 1},   {"multi-shift iter.", 1}, {"staggered force", 1},
                                      {"stout smearing", 1}, {"stout force", 1},       {"CG iter. HISQ", 1}};
  if (is_single<T>) expected["D_eo 16-bit"] = 2;
  EXPECT_EQ(rows, expected);
}

TEST(BenchStaggered, EveryKernelHasFigures) {
  every_kernel_has_figures<double, 1>();
  every_kernel_has_figures<float, test::wide>();
}

}  // namespace
}  // namespace trellis::bench
