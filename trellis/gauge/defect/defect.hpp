// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A defect of a gauge action, for parallel tempering on boundary conditions (M. Hasenbusch, Phys. Rev. D 96 (2017)
// 054504; C. Bonanno, C. Bonati and M. D'Elia, JHEP 03 (2021) 111). The links U_d(x) that lead across the boundary in
// direction d, x_d = L_d - 1, with the other three coordinates below `length`, have a weight, the coupling c; all other
// links have the weight 1. A loop counts with the product of its links' weights:
//   S_c = - sum over loops of [ weight x (product of c) x Re tr loop / 3 ].
// c = 1 is the periodic lattice, c = 0 has open boundaries at the defect.

#include "trellis/lattice/lattice.hpp"

namespace trellis::gauge {

struct Defect {
  int direction = 0;
  int length = 0;  // of the cube, from 1 to the smallest extent of the other directions
  bool operator==(const Defect&) const = default;
};

// Throws InputError unless the defect fits the lattice.
void require_valid(const Defect& defect, const Coordinate& size);

// For kernels: which links of a lattice the defect contains.
struct DefectSites {
  Coordinate size;
  int direction, length;

  DefectSites(const Defect& defect, const Coordinate& lattice_size)
      : size(lattice_size), direction(defect.direction), length(defect.length) {}

  // Whether U_direction of the site with this lexicographic number is one of them.
  TRELLIS_INLINE bool contains(std::int64_t site) const {
    for (int mu = 0; mu < 4; ++mu) {
      const int x = static_cast<int>(site % size[mu]);
      if (mu == direction ? x != size[mu] - 1 : x >= length) return false;
      site /= size[mu];
    }
    return true;
  }

  // The weights of the links U_mu of a tile: `coupling` or 1.
  template <class S>
  TRELLIS_INLINE S weights(const LaneSites& sites, int mu, double coupling) const {
    S weight = S(1.0);
    if (mu == direction)
      for (const int l : own_lanes<S>())
        if (contains(sites[l])) set_lane(weight, l, coupling);
    return weight;
  }
};

}  // namespace trellis::gauge
