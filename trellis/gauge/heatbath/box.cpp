// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/box.hpp"

#include "trellis/core/error.hpp"

namespace trellis::gauge {

Box box_around(const Defect& defect, int margin, const Coordinate& size) {
  require_valid(defect, size);
  if (margin < 1) fail_input("a box around a defect: its margin is {}; it must be at least 1", margin);
  Box box;
  for (int mu = 0; mu < 4; ++mu) {
    const bool along = mu == defect.direction;
    const int extent = along ? 2 * margin : defect.length + 2 * margin;
    if (extent >= size[mu]) {
      box.extents[mu] = size[mu];
      continue;
    }
    box.first[mu] = size[mu] - margin;
    box.extents[mu] = extent;
  }
  return box;
}

}  // namespace trellis::gauge
