// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boundaries in time as docs/manual.md has them, for comparison in `trellis verify`: which links are variables, which
// loops exist and what they weigh, where there are quarks. Of gauge/boundary it knows the parameters alone.

#include "trellis/gauge/boundary/boundary.hpp"

namespace trellis::app {

// Whether links that leave slice t in direction mu are variables: neither missing nor fixed.
bool naive_is_variable(const gauge::Boundary& boundary, const Coordinate& size, int t, int mu);
// Whether t is the first or the last slice of a lattice that has them.
bool naive_is_end(const gauge::Boundary& boundary, const Coordinate& size, int t);

// The weight in the action, beside that of the kind of loop, of a loop on slices t to t + steps; 0 if it does not
// exist. Squares of plaquettes, beside the weight of rectangles: mostly 0.
enum class NaiveLoop { plaquette, rectangle, squared_plaquette, parallelogram };
double naive_loop_weight(const gauge::Boundary& boundary, const Coordinate& size, int t, int steps,
                         NaiveLoop loop = NaiveLoop::plaquette);

// The slices with quarks.
struct NaiveSlices {
  bool all = true;
  int first = 0, last = 0;
  bool contain(int t) const { return all || (first <= t && t <= last); }
  // Whether a quark can hop so many steps in time from t, backwards if negative.
  bool have_hop(int t, int steps) const { return all || (contain(t) && contain(t + steps)); }
  // t, if quarks are there, or one of their slices instead, if there are any.
  int nearby(int t) const { return contain(t) || last < first ? t : first + t % (last - first + 1); }
};
NaiveSlices naive_wilson_slices(const gauge::Boundary& boundary, const Coordinate& size);
NaiveSlices naive_staggered_slices(const gauge::Boundary& boundary, const Coordinate& size);

}  // namespace trellis::app
