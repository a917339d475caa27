// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lane count for tests that need only one: the largest compiled count up to 8, which a 4^4 lattice allows.

#include "trellis/core/lanes.hpp"

namespace trellis::test {

constexpr int largest_lane_count_to_8() {
  int largest = 1;
#define TRELLIS_TEST_LANES(W) \
  if (W <= 8 && W > largest) largest = W;
  TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_TEST_LANES)
#undef TRELLIS_TEST_LANES
  return largest;
}
inline constexpr int wide = largest_lane_count_to_8();

}  // namespace trellis::test
