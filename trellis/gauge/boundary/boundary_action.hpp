// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gauge action of action.hpp, and its force, with boundaries in time (boundary.hpp). Computed as with periodic
// boundaries, where links that do not exist are zero, plus what other weights of loops near the boundaries change: so
// periodic runs have the kernels and bits that they would have without boundaries.
//
// Cost beside that of action.hpp: a pass over the tables of sites for each boundary, and the loops there; with open
// boundaries the force of parallelograms takes twice as long, and has a field of links of its own.

#include <utility>
#include <vector>

#include "trellis/gauge/action.hpp"
#include "trellis/gauge/boundary/boundary.hpp"

namespace trellis::gauge {

// S of the loops that exist; the links of the boundary must be in place (impose_boundary).
template <class T, int W>
double action(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& u);

template <class T, int W>
double action_difference(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& after,
                         const GaugeField<T, W>& before);

// p_a(x, mu) += step * F_a(x, mu); p = 0 for links that are not variables.
template <class T, int W>
void add_force(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& u, double step,
               const AlgebraField<T, W>& p, LoopForceWork<T, W>& work, ExchangeUnderWay ghosts = {});

// Weights of loops near a boundary. Flat rectangles are two steps long in space, tall ones in time; in planes of space
// both have the same weight. squared: of 1 - Re tr P^2 / 3 for each plaquette P in time.
struct BoundaryWeights {
  double plaquette = 0, flat = 0, tall = 0, squared = 0;
  bool operator==(const BoundaryWeights&) const = default;
};
inline BoundaryWeights all_alike(const LoopWeights& weights) {
  return {weights.plaquette, weights.rectangle, weights.rectangle, 0};
}

// Some of the staples of links on one slice. Of links in space: those in the slice's plane with other links in space,
// or those towards the next or the previous slice. Of links in time, whose other links are in space: all staples, and
// of tall rectangles those that go on forward or backward.
enum class StapleSet { in_space, forward_in_time, backward_in_time };
struct BoundaryStaples {
  int slice = 0;
  bool of_time_links = false;  // of U_t; otherwise of U_x, U_y, U_z
  StapleSet set = StapleSet::in_space;
  BoundaryWeights weights;
};

// Of loops in time that touch a boundary of a Schroedinger functional.
BoundaryWeights weights_at_boundary(const LoopWeights& weights, const Boundary& boundary);

// The staples that have to be added, with these weights, to those of periodic boundaries.
std::vector<BoundaryStaples> boundary_staples(const LoopWeights& weights, const Boundary& boundary,
                                              const Coordinate& size);

// p_a(x, mu) += step * F_a(x, mu) of loops with these staples. Rectangles need ghosts up to Reach::two_steps.
template <class T, int W>
void add_force(const std::vector<BoundaryStaples>& staples, const GaugeField<T, W>& u, double step,
               const AlgebraField<T, W>& p);

}  // namespace trellis::gauge
