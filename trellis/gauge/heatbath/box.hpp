// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A box of sites on the torus, whose links a sweep may visit alone.

#include "trellis/gauge/defect/defect.hpp"

namespace trellis::gauge {

struct Box {
  Coordinate first{}, extents{};

  TRELLIS_INLINE bool contains(const Coordinate& x, const Coordinate& size) const {
    for (int mu = 0; mu < 4; ++mu) {
      const int from_first = x[mu] - first[mu];
      if ((from_first < 0 ? from_first + size[mu] : from_first) >= extents[mu]) return false;
    }
    return true;
  }
  std::int64_t volume() const { return std::int64_t(extents[0]) * extents[1] * extents[2] * extents[3]; }
};

inline Box whole_lattice(const Coordinate& size) { return {{}, size}; }

// The sites at most `margin` steps away from a defect: 2 margin of them along its links, of which margin = 1 are the
// two ends, and length + 2 margin in the other directions, or as many as the lattice has. Throws InputError for a
// margin below 1.
Box box_around(const Defect& defect, int margin, const Coordinate& size);

}  // namespace trellis::gauge
