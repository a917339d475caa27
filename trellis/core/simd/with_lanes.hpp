// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns a lane count known only at run time into a compile-time constant:
//   with_lanes<double>(w, [&]<int W>() { ... });
// T is the type that fields are computed with: double, or float, for which there are larger lane counts too.
// Throws InputError for a count that the libraries were not compiled for.

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"

namespace trellis {

template <class T = double>
const std::vector<int>& compiled_lane_counts() {
#define TRELLIS_LANE_ENTRY(W) W,
  static const std::vector<int> all{TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_ENTRY)};
  static const std::vector<int> of_doubles{TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_LANE_ENTRY)};
#undef TRELLIS_LANE_ENTRY
  return std::is_same_v<T, double> ? of_doubles : all;
}

// The lane counts that the libraries were compiled for, as a constant.
template <class T>
constexpr bool has_lane_count(int lanes) {
  bool found = false;
#define TRELLIS_LANE_IS(W) found = found || lanes == W;
  if constexpr (std::is_same_v<T, double>) {
    TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_LANE_IS)
  } else {
    TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_IS)
  }
#undef TRELLIS_LANE_IS
  return found;
}

template <class T = double>
void require_lanes(int lanes) {
  if (!has_lane_count<T>(lanes))
    fail_input("{} SIMD lanes were asked for; this program was compiled for {}{}", lanes,
               joined(compiled_lane_counts<T>(), ", "), std::is_same_v<T, double> ? " in double precision" : "");
}

template <class T = double, class F>
auto with_lanes(int lanes, F&& f) {
  require_lanes<T>(lanes);
#define TRELLIS_LANE_CASE(W) \
  if (lanes == W) return std::forward<F>(f).template operator()<W>();
  if constexpr (std::is_same_v<T, double>) {
    TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_LANE_CASE)
  } else {
    TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_CASE)
  }
#undef TRELLIS_LANE_CASE
  fail("{} SIMD lanes are not compiled", lanes);  // unreachable: they were checked
}

}  // namespace trellis
