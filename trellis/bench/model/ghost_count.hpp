// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many ghosts a rank has (lattice/halo/halo.hpp), without creating a lattice: for a block of this many sites, cut
// from a lattice in the directions in which the grid has more than one rank. (If SIMD lanes must cut such a direction
// too there are more, which other lanes of the rank fill.)

#include "trellis/bench/model/kernel_work.hpp"

namespace trellis::bench {

struct GhostCount {
  double near = 0, corners = 0, further = 0;  // sites: one step beyond a face, beyond two faces, further out
  int faces = 0, edges = 0;                   // faces, and pairs of adjacent faces

  GhostCount(const Coordinate& block, const Coordinate& grid);
  double all() const { return near + corners + further; }
  // In one exchange.
  double sites(const HaloWork& halo) const;
  int messages(const HaloWork& halo) const;
};

}  // namespace trellis::bench
