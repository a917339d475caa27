// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links that may change at the same time: two links of one direction mu that have the same colour share no loop.
// Plaquettes alone: the two parities of x + y + z + t. With 1 x 2 rectangles U_mu(x) shares loops with its parallels at
// +-mu, +-nu, +-2 nu and +-mu +- nu, nu != mu; eight colours are then
//   4 (x_mu mod 2) + (sum over nu != mu of g_nu(x_nu)) mod 4,
// where g_nu is 012012... for an extent that 3 divides, 01230123... for one that 4 divides, and otherwise blocks of
// both: neighbours at distance 1 and 2 around the torus differ. Colours belong to global sites, not to lanes.

#include "trellis/lattice/lattice.hpp"

namespace trellis::gauge {

class LinkColours {
 public:
  // InputError for rectangles on an extent of 2, where a link meets itself in a loop.
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
  Coordinate threes_{};  // sites in blocks 012, which come first
};

}  // namespace trellis::gauge
