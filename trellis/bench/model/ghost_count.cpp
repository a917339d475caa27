// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/ghost_count.hpp"

namespace trellis::bench {

GhostCount::GhostCount(const Coordinate& block, const Coordinate& grid) {
  const double volume = double(block[0]) * block[1] * block[2] * block[3];
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (grid[mu] == 1) continue;
    faces += 2;
    near += 2 * volume / block[mu];
    further += 2 * volume / block[mu];  // the second slice
    for (std::size_t nu = 0; nu < mu; ++nu) {
      if (grid[nu] == 1) continue;
      const double edge = volume / block[mu] / block[nu];
      edges += 4;
      corners += 4 * edge;
      further += 8 * edge;  // two steps in one direction and one in the other
    }
  }
}

double GhostCount::sites(const HaloWork& halo) const {
  if (halo.of_parity || halo.one_way) return near / (halo.of_parity && halo.one_way ? 4 : 2);
  return near + (halo.reach >= Reach::corners ? corners : 0) + (halo.reach >= Reach::two_steps ? further : 0);
}

// Separate messages carry ghosts of even sites, of odd ones, at corners and further out.
int GhostCount::messages(const HaloWork& halo) const {
  if (halo.of_parity || halo.one_way) return halo.of_parity && halo.one_way ? faces / 2 : faces;
  return 2 * faces + (halo.reach >= Reach::corners ? edges : 0) + (halo.reach >= Reach::two_steps ? faces + edges : 0);
}

}  // namespace trellis::bench
