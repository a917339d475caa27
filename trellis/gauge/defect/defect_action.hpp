// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a defect (defect.hpp) adds to a gauge action: S_c - S_1 and its force. The action itself and its force are those
// of the periodic lattice (action.hpp), which thereby need not know of defects.
//
// Multiplied by its weight, V_mu(x) = K_mu(x) U_mu(x), every link brings its weight to every loop that contains it. So
// S_c - S_1 is the difference of the same sum of loops for V and for U. Only loops near the defect differ, and only
// these are computed; all others would add exactly zero. Sums are exact: the bits depend on the links alone.
//
// The loops of gauge actions cross the boundary at most once each way, so they contain at most two links of the defect.
// Hence S_c - S_1 is a quadratic function of c, and two numbers (DefectLoops) say what it is at every coupling: all
// that swaps of replicas ask of their links.
//
// Cost: near the defect a copy of the links and the loops or staples of both, wherever a tile has a lane there; with
// ghosts or parallelograms a copy of all links. Parallelograms cost two of their forces. Memory: one field of links,
// kept between calls; copies share it.

#include <memory>

#include "trellis/gauge/action.hpp"
#include "trellis/gauge/defect/defect.hpp"

namespace trellis::gauge {

// Sums over the loops with one link of the defect, and over those with two, of weight x Re tr / 3.
struct DefectLoops {
  double one = 0, two = 0;
  // S_c - S_1
  double energy(double coupling) const { return (1 - coupling) * one + (1 - coupling * coupling) * two; }
};

// For kernels that compute with weighted links only where these differ: of a tile and ghosts, [tile].
struct NearDefect {
  const unsigned char* marks;   // [tile][5]: of each link, and of the sites as corners, bits of loops with the defect
  const unsigned char* inside;  // whether weighted() has the links of the tile
  unsigned char mask;           // the loops that count

  // Whether a loop of the action through U_mu of a site of the tile has links of the defect.
  TRELLIS_INLINE bool has(int tile, int mu) const { return (marks[5 * std::int64_t(tile) + mu] & mask) != 0; }
};

template <int W>
class DefectAction {
 public:
  // Throws InputError unless the defect fits the lattice.
  DefectAction(const Lattice& lattice, const Defect& defect);

  const Defect& defect() const { return defect_; }

  // S_c(u) - S_1(u)
  double energy(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u) const;

  // Of any coupling.
  DefectLoops loops(const LoopWeights& weights, const GaugeField<double, W>& u) const;

  // p_a(x, mu) += step * F_a(x, mu), F_a = -d(S_c - S_1)/dw_a as in action.hpp.
  void add_force(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u, double step,
                 const AlgebraField<double, W>& p) const;

  // V on the tiles that near() says are inside, which are all that loops with links of the defect, and staples of their
  // links, read; ghosts as those of links after an exchange: two steps with rectangles, else up to corners. Valid until
  // the next call of any of these functions with the same number, 0 if they have none.
  // number: of the field that holds V, for several at a time; they are made when they are needed, and kept.
  const GaugeField<double, W>& weighted(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u,
                                        std::size_t number = 0) const;
  NearDefect near(const LoopWeights& weights) const;

 private:
  struct Work;
  Defect defect_;
  std::shared_ptr<Work> work_;
};

}  // namespace trellis::gauge
