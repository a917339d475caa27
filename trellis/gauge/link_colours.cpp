// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/link_colours.hpp"

#include "trellis/core/error.hpp"

namespace trellis::gauge {

LinkColours::LinkColours(const Coordinate& size, bool rectangles) : rectangles_(rectangles) {
  if (!rectangles) return;
  for (int mu = 0; mu < 4; ++mu) {
    const int extent = size[mu];
    if (extent < 4)
      fail_input("heatbath on a lattice {}x{}x{}x{}: an action with rectangles needs extents of at least 4", size[0],
                 size[1], size[2], size[3]);
    const int threes = extent % 3 == 0 ? extent : (4 - extent % 4) % 4 * 3;  // sites in blocks 012
    for (int x = 0; x < extent; ++x) sequence_[mu].push_back(x < threes ? x % 3 : (x - threes) % 4);
  }
}

int LinkColours::operator()(const Coordinate& x, int mu) const {
  if (!rectangles_) return (x[0] + x[1] + x[2] + x[3]) % 2;
  int sum = 0;
  for (int nu = 0; nu < 4; ++nu)
    if (nu != mu) sum += sequence_[nu][x[nu]];
  return 4 * (x[mu] % 2) + sum % 4;
}

}  // namespace trellis::gauge
