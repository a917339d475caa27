// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many ghosts a rank has (lattice/halo/halo.hpp), without making a lattice: of a block of this many sites, cut from
// a lattice in the directions in which the grid has more than one rank. (Where SIMD lanes must cut such a direction too
// there are more, which other lanes of the rank fill.)

#include "trellis/bench/model/kernel_work.hpp"

namespace trellis::bench {

struct GhostCount {
  double near = 0, corners = 0, further = 0;  // sites: a step beyond a face, beyond two, further out
  int faces = 0, edges = 0;                   // faces, and pairs of them that meet

  GhostCount(const Coordinate& block, const Coordinate& grid);
  double all() const { return near + corners + further; }
  // Of an exchange.
  double sites(const HaloWork& halo) const;
  int messages(const HaloWork& halo) const;
};

}  // namespace trellis::bench
