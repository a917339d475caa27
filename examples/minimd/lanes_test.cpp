// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/lanes.hpp"

#include <gtest/gtest.h>

#include "trellis/core/view.hpp"

namespace examples::minimd {
namespace {

using namespace trellis;

// Rows of 3 in a layout, followed by one more number; row numbers that repeat and run backwards.
template <class T, int W, class Layout>
void check_gather() {
  constexpr int rows = 20;
  const View<T* [3], Layout, HostSpace> row("rows", rows + 1);
  for (int i = 0; i < rows; ++i)
    for (int c = 0; c < 3; ++c) row(i, c) = T(10 * i + c);
  lanes_t<T, W> column[3];
  const auto index = [](int l) { return (19 - 7 * l * l % 20 + 20) % 20; };
  gather_rows(row, index, column);
  for (int l = 0; l < W; ++l)
    for (int c = 0; c < 3; ++c) EXPECT_EQ(lane(column[c], l), T(10 * index(l) + c)) << "lane " << l;
}

TEST(Lanes, RowsAreGathered) {
  check_gather<double, 1, LayoutRight>();
  check_gather<double, 2, LayoutRight>();
  check_gather<double, 4, LayoutRight>();
  check_gather<double, 8, LayoutRight>();
  check_gather<double, 16, LayoutRight>();
  check_gather<double, 8, LayoutLeft>();
  check_gather<float, 1, LayoutLeft>();
  check_gather<float, 4, LayoutRight>();
  check_gather<float, 8, LayoutRight>();
  check_gather<float, 16, LayoutRight>();
}

// With these numbers different orders of addition give different results.
TEST(Lanes, SumHasItsOrder) {
  lanes_t<double, 8> v(0.0);
  double number[8];
  for (int l = 0; l < 8; ++l) set_lane(v, l, number[l] = 1.0 / (3 + 5 * l) * (l % 2 == 0 ? 1 : 1e8));
  double pair[4];
  for (int l = 0; l < 4; ++l) pair[l] = number[l] + number[l + 4];
  EXPECT_EQ(sum_of_lanes(v), (pair[0] + pair[2]) + (pair[1] + pair[3]));
  EXPECT_EQ(sum_of_lanes(0.3), 0.3);
}

}  // namespace
}  // namespace examples::minimd
