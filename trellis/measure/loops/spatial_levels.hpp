// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links smeared by APE in space, of several levels, each from the one before.

#include <string_view>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/gauge/smearing/projected.hpp"

namespace trellis::measure {

// InputError unless there are some, from 0, which ascend.
inline void require_levels(std::string_view what, const std::vector<int>& levels) {
  if (levels.empty()) fail_input("{}: there is no level of smearing", what);
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (levels[k] < 0 || (k > 0 && levels[k] <= levels[k - 1]))
      fail_input("{}: levels of smearing must be at least 0, and ascend", what);
}

// f(level, links) for each. Links that a boundary in time fixes stay as they are.
template <int W, class F>
void for_each_spatial_level(double alpha, const std::vector<int>& levels, const gauge::Boundary& boundary,
                            const GaugeField<double, W>& u, const F& f) {
  auto smeared = u;
  int done = 0;
  for (const int level : levels) {
    smeared =
        gauge::ape_smeared({.dimensions = 3, .alpha = alpha, .levels = level - done, .boundary = boundary}, smeared);
    done = level;
    f(level, smeared);
  }
}

}  // namespace trellis::measure
