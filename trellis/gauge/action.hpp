// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions of plaquettes and 1 x 2 rectangles:
//   S = beta sum_loops [ c0 (1 - Re tr P / 3) + c1 (1 - Re tr R / 3) ],  c0 = 1 - 8 c1,
// over all 6 V plaquettes and all 12 V rectangles (both orientations). action_names.hpp has the named values of c1.
// Functions take weights of loops (loop_weights.hpp), which may also include 16 V parallelograms.
//
// Cost per site, counting 198 flops per matrix product: Wilson force 46 products, links read once, momenta read and
// written once; with rectangles 102 products and more (rectangle_force.hpp), parallelograms 120 or 258 more
// (parallelogram_force.hpp).

#include "trellis/gauge/parallelogram_force.hpp"
#include "trellis/gauge/rectangle_force.hpp"

namespace trellis::gauge {

struct Action {
  double beta = 6.0;
  double c1 = 0.0;
  double c0() const { return 1 - 8 * c1; }
  // All functions below take weights, so that parts of an action can be separate terms.
  operator LoopWeights() const { return {beta * c0(), beta * c1, 0}; }
};

// S, as a sum whose bits depend only on the links.
template <class T, int W>
double action(const LoopWeights& weights, const GaugeField<T, W>& u);

// S at `after` minus S at `before`: the difference is taken site by site before the sum, so that no digits are lost to
// the size of S.
template <class T, int W>
double action_difference(const LoopWeights& weights, const GaugeField<T, W>& after, const GaugeField<T, W>& before);

// p_a(x, mu) += step * F_a(x, mu), F_a = -dS/dw_a where U_mu(x) -> exp(i w_a T_a) U_mu(x).
template <class T, int W>
void add_force(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p);

// Work space of forces, kept between calls; those of plaquettes need none. Copies share it.
template <class T, int W>
struct LoopForceWork {
  RectangleForce<T, W> rectangles;
  ParallelogramForce<T, W> parallelograms;
  // Links in space of the first and the last time slice, for open boundaries (gauge/boundary); all others are zero.
  GaugeField<T, W> of_ends;
};

// The same with work space. ghosts: of u, if they are on their way; inner links have their plaquettes, or forces,
// before these arrive.
template <class T, int W>
void add_force(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p,
               LoopForceWork<T, W>& work, ExchangeUnderWay ghosts = {});

// p_a(x, mu) = step * F_a(x, mu) of plaquettes alone, on the links of some tiles, whatever p was before. name: of the
// kernel, for the profile.
template <class T, int W>
void set_plaquette_force(const char* name, double weight, const GaugeField<T, W>& u, double step,
                         const AlgebraField<T, W>& p, const TileSet& tiles);

}  // namespace trellis::gauge
