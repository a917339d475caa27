// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which lanes of a tile have their site on a time slice.

#include "trellis/gauge/lane_mask.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::gauge {

struct LanesOfSlice {
  LaneSites sites;
  std::int64_t begin, end;  // lexicographic numbers of the slice's sites
  TRELLIS_INLINE bool operator[](int lane) const {
    const std::int64_t site = sites[lane];
    return begin <= site && site < end;
  }
};

class TimeSlice {
 public:
  TimeSlice(const Lattice& lattice, int t) : TimeSlice(lattice, t, t) {}
  // All slices from the first to the last.
  TimeSlice(const Lattice& lattice, int first, int last)
      : sites_(lattice.tile_sites()),
        begin_(first * (lattice.volume() / lattice.size(3))),
        end_((last + 1) * (lattice.volume() / lattice.size(3))) {}
  template <class S>
  TRELLIS_INLINE mask_t<S> lanes_of(int tile) const {
    return mask_of<S>(LanesOfSlice{sites_(tile), begin_, end_});
  }

 private:
  TileSites sites_;
  std::int64_t begin_, end_;
};

}  // namespace trellis::gauge
