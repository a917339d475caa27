// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/verdict.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Verdict, NormalSlowOrNotToBeTrusted) {
  const std::vector<double> good{0.7, 0.9, 0.5}, slow{0.1, 0.15, 0.9}, impossible{1.4, 5.8, 0.9};
  EXPECT_TRUE(says(verdict({0, 0.01, 0.02}, good), "Normal for this ")) << verdict({0, 0.01, 0.02}, good);
  EXPECT_TRUE(says(verdict({0, 0.01, 0.02}, good), "the median kernel reaches 70 %"));
  EXPECT_TRUE(says(verdict({0, 0.01, 0.02}, slow), "Slow for this "));
  for (const auto& [found, figures, why] :
       {std::tuple{Disturbance{0.2, 0, 0}, good, "threads waited 20 % of the time"},
        {Disturbance{0, 0.5, 0}, good, "other processes used 50 % of the machine's cores"},
        {Disturbance{0, 0, 0.3}, good, "the peak changed by 30 % while the benchmark ran"},
        {Disturbance{}, impossible, "half of the kernels are beyond 140 % of the measured limit"}}) {
    const auto text = verdict(found, figures);
    if (!kernels_on_host && found.lost + found.others + found.drift == 0) {
      EXPECT_TRUE(says(text, "No limit is known for this lattice: half of the kernels are beyond 140 %")) << text;
      continue;
    }
    EXPECT_TRUE(says(text, "The machine is busy: do not trust these figures")) << text;
    EXPECT_TRUE(says(text, why)) << text;
  }
  EXPECT_TRUE(says(verdict({}, {}), "Normal"));
}

TEST(Verdict, AChangedPeakIsSeen) {
  EXPECT_NEAR(BenchWatch(1e9, [] { return 0.5e9; }).look().drift, 1, 1e-12);
  EXPECT_NEAR(BenchWatch(1e9, [] { return 1.1e9; }).look().drift, 0.1, 1e-12);
  const auto found = BenchWatch(1e9, [] { return 1e9; }).look();
  EXPECT_EQ(found.drift, 0);
  EXPECT_GE(found.others, 0);
  EXPECT_LE(found.others, 1);
}

}  // namespace
}  // namespace trellis::app
