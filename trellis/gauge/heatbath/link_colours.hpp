// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links that may be updated simultaneously: two links of one direction mu with the same colour share no loop. With only
// plaquettes: the two parities of x + y + z + t. With 1 x 2 rectangles U_mu(x) shares loops with its parallels at
// +-mu, +-nu, +-2 nu and +-mu +- nu, nu != mu; eight colours are then
//   4 (x_mu mod 2) + (sum over nu != mu of g_nu(x_nu)) mod 4,
// where g_nu is 012012... for an extent divisible by 3, 01230123... for one divisible by 4, and otherwise consists of
// blocks of both: neighbours at distance 1 and 2 around the torus differ. Colours belong to global sites, not to lanes.

#include "trellis/lattice/lattice.hpp"

namespace trellis::gauge {

class LinkColours {
 public:
  // InputError for rectangles on an extent of 2, where a link occurs twice in a loop.
  LinkColours(const Coordinate& size, bool rectangles);

  int count() const { return rectangles_ ? 8 : 2; }
  TRELLIS_INLINE int operator()(const Coordinate& x, int mu) const {
    if (!rectangles_) return (x[0] + x[1] + x[2] + x[3]) % 2;
    int sum = 0;
    for (int nu = 0; nu < 4; ++nu)
      if (nu != mu) sum += x[nu] < threes_[nu] ? x[nu] % 3 : (x[nu] - threes_[nu]) % 4;  // g
    return 4 * (x[mu] % 2) + sum % 4;
  }

 private:
  bool rectangles_;
  Coordinate threes_{};  // number of sites in blocks 012, which come first
};

}  // namespace trellis::gauge
