// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/median.hpp"

#include <gtest/gtest.h>

namespace trellis {
namespace {

TEST(Median, IsInTheMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({5, 1, 2}), 2);
  EXPECT_EQ(median({4, 8}), 6);
  EXPECT_EQ(median({9, 1, 7, 2}), 4.5);
  EXPECT_EQ(median({2, 2, 1, 9, 2, 3}), 2);
}

}  // namespace
}  // namespace trellis
