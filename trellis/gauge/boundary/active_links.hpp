// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which lanes of a tile have links that are variables: not those that a boundary in time (boundary.hpp) fixes, or that
// do not exist.

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"

namespace trellis::gauge {

class ActiveLinks {
 public:
  ActiveLinks(const Boundary& boundary, const Lattice& lattice)
      : space_(lattice, is_fixed(boundary) ? 1 : 0, boundary.last_slice(lattice.size()) - (is_fixed(boundary) ? 1 : 0)),
        time_(lattice, 0, boundary.last_slice(lattice.size()) - (boundary.is_periodic() ? 0 : 1)) {}
  template <class S>
  TRELLIS_INLINE mask_t<S> lanes_of(int tile, int mu) const {
    return mu == 3 ? time_.lanes_of<S>(tile) : space_.lanes_of<S>(tile);
  }

 private:
  static bool is_fixed(const Boundary& boundary) { return boundary.kind == BoundaryKind::schroedinger_functional; }

  TimeSlice space_, time_;  // on which links in space and in time are variables
};

}  // namespace trellis::gauge
