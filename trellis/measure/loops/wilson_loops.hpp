// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wilson loops of a line in space and one in time, for the static potential:
//   W_ab(r, t) = average of Re tr [ S_a(x, r) V(x + r, t) S_b(x + t, r)^dagger V(x, t)^dagger ] / 3
// over all sites x and all displacements r that the cube's symmetry makes equal. S_a: n equal steps of links smeared by
// APE in space, of level a. V: t links in time, as they are or after HYP smearing in four dimensions, which lowers the
// static quark's self-energy and with it the noise (A. Hasenfratz and F. Knechtli, hep-lat/0103029; the usual alphas
// are 0.75, 0.6, 0.3, or 1, 1, 0.5 of M. Della Morte, A. Shindler and R. Sommer, hep-lat/0506008). Both smearings begin
// with the links as they are.
//
// A direction (a, b, c) has the displacements r = n (a, b, c), with all permutations and signs. A step along it is the
// average over all orders of its a + b + c links, so that no way around a corner is preferred; on unit links W is 1.
//
// Lines grow by a step at a time, from those that begin at the next site, and travel in time by
//   C_b(x, t + 1) = V(x) C_b(x + t, t) V(x + r)^dagger,
// so that no loop is walked: nothing is read from further than a neighbour. Sums are exact (core/sums/exact_sum.hpp):
// no bit depends on lanes, threads or ranks.
//
// With boundaries in time (gauge/boundary/boundary.hpp) the average is over the sites where the loop exists: over t0
// for which t0 and t0 + t are slices at least `boundary_distance` from both boundaries. Lines in space on slices 0 and
// T of a Schroedinger functional are of fixed links, which smearing leaves as they are.
//
// Cost per displacement, distance and site: a + b + c copies and a product of matrices, then for each time two products
// and a trace for each pair of levels. Memory: 4 fields of links for each level, and 6.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::measure {

// Along an axis, a face's diagonal, the cube's diagonal, and twice along one axis for once along another.
struct LoopDirection {
  std::string_view name;
  std::array<int, 3> steps;  // descending
  double length() const;     // of one step
};
std::span<const LoopDirection> loop_directions();

struct WilsonLoopSelection {
  std::vector<std::string> directions = {"100"};  // of loop_directions()
  int distance = 4, time = 4;                     // the largest n and t, from 1
  double ape_alpha = 0.5;
  std::vector<int> levels = {0};  // of APE smearing, ascending
  // Of one step of HYP smearing; empty: links in time as they are.
  std::vector<double> hyp_alpha = {};
  int boundary_distance = 0;  // in time; 0 without boundaries
};

struct WilsonLoop {
  std::string direction;
  int distance = 0, time = 0;
  int level = 0, other_level = 0;  // of APE smearing, the smaller first: the average of W_ab and W_ba
  double value = 0;
};

// InputError for loops beyond half of the lattice in any direction, or as long as the slices between boundaries in
// time, a list that is empty, not ascending or has unknown names, and parameters of smearing out of range.
void require_valid(const WilsonLoopSelection& selection, const Coordinate& size, const gauge::Boundary& boundary = {});
// The parts of it that depend on the lattice.
void require_distances_fit(const WilsonLoopSelection& selection, const Coordinate& size);
void require_times_fit(const WilsonLoopSelection& selection, const Coordinate& size, const gauge::Boundary& boundary);

// By direction, distance, time and pair of levels, the last fastest. u is not changed.
template <int W>
std::vector<WilsonLoop> wilson_loops(const WilsonLoopSelection& selection, const GaugeField<double, W>& u,
                                     const gauge::Boundary& boundary = {});

}  // namespace trellis::measure
