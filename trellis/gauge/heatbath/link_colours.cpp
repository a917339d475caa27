// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/link_colours.hpp"

#include "trellis/core/error.hpp"

namespace trellis::gauge {

LinkColours::LinkColours(const Coordinate& size, bool rectangles) : rectangles_(rectangles) {
  if (!rectangles) return;
  for (int mu = 0; mu < 4; ++mu) {
    const int extent = size[mu];
    if (extent < 4)
      fail_input("heatbath on a lattice {}x{}x{}x{}: an action with rectangles needs extents of at least 4", size[0],
                 size[1], size[2], size[3]);
    threes_[mu] = extent % 3 == 0 ? extent : (4 - extent % 4) % 4 * 3;
  }
}

}  // namespace trellis::gauge
