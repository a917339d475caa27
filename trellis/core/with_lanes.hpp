// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a lane count known when the program runs to one known to the compiler:
//   with_lanes(w, [&]<int W>() { ... });
// Throws InputError for a count that the libraries were not compiled for.

#include <string>
#include <utility>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"

namespace trellis {

inline const std::vector<int>& compiled_lane_counts() {
#define TRELLIS_LANE_ENTRY(W) W,
  static const std::vector<int> counts{TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_ENTRY)};
#undef TRELLIS_LANE_ENTRY
  return counts;
}

template <class F>
auto with_lanes(int lanes, F&& f) {
#define TRELLIS_LANE_CASE(W) \
  if (lanes == W) return std::forward<F>(f).template operator()<W>();
  TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_CASE)
#undef TRELLIS_LANE_CASE
  fail_input("{} SIMD lanes were asked for; this program was compiled for {}", lanes,
             fmt::join(compiled_lane_counts(), ", "));
}

}  // namespace trellis
