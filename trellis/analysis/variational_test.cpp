// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/variational.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// Two states and three operators: at all times the combination is a single exponential.
TEST(Variational, FindsTheLowestOfThreeStates) {
  const double mass[3] = {0.3, 0.8, 1.4};
  const double couplings[3][3] = {{1, 0.5, 0.2}, {0.6, -0.7, 0.4}, {0.9, 0.1, -0.8}};
  const auto matrix = [&](double t) {
    Series c(9);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t n = 0; n < 3; ++n) c[3 * a + b] += couplings[a][n] * couplings[b][n] * std::exp(-mass[n] * t);
    return c;
  };
  const auto v = lowest_state(3, matrix(1), matrix(2));
  EXPECT_NEAR(projected(v, matrix(1)), 1, 1e-12);
  for (int t = 1; t < 6; ++t)
    EXPECT_NEAR(std::log(projected(v, matrix(t)) / projected(v, matrix(t + 1))), 0.3, 1e-10) << t;
}

TEST(Variational, RefusesWhatHasNoSignal) {
  EXPECT_THROW(lowest_state(2, {1, 2, 2, 1}, {1, 0, 0, 1}), Error);
  EXPECT_THROW(lowest_state(1, {1}, {-1}), Error);
  EXPECT_EQ(lowest_state(1, {4}, {1}), Series{0.5});
}

}  // namespace
}  // namespace trellis::analysis
