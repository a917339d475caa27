// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parallel transporters along up to four displacements at once, one in each of a GaugeField's four places for links:
// the k-th of site x leads from x to x + r_k. They are moved and joined step by step, so that only neighbours are read.
// All functions leave the ghosts of what they write filled one step deep.

#include <array>
#include <vector>

#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::measure {

// Displacements that the cube's symmetry makes equal, as permutations and signs of one.
struct Displacements {
  std::array<int, 3> steps{};                     // along the first, second, third axis of each, descending
  int count = 0;                                  // 1 to 4
  std::array<std::array<int, 3>, 4> direction{};  // of a step along these axes: 0 to 2 forward, 4 to 6 backward
};
// All of those of `steps` up to their overall sign, in groups of up to four.
std::vector<Displacements> displacements_of(const std::array<int, 3>& steps);

// x + r_k instead of x, in place; `spare` is overwritten, and the two fields may have changed places. Cost: a copy for
// each step of the displacement.
template <int W>
void displace(const Displacements& r, GaugeField<double, W>& of, GaugeField<double, W>& spare);

// The average over all orders of the steps of the products of links along r_k.
template <int W>
GaugeField<double, W> elementary_lines(const Displacements& r, const GaugeField<double, W>& u);

// The time link of u in all places; zero unless it leaves one of these slices, so that lines which need it are zero.
template <int W>
GaugeField<double, W> time_links(const gauge::TimeSlice& from, const GaugeField<double, W>& u);

// first(x) then(x), place by place; into `to`.
template <int W>
void join_lines(int count, const GaugeField<double, W>& first, const GaugeField<double, W>& then,
                const GaugeField<double, W>& to);

// begin(x) of(x + t) end(x)^dagger, place by place, but of `begin` always the first; into `to`.
template <int W>
void carry_in_time(int count, const GaugeField<double, W>& begin, const GaugeField<double, W>& of,
                   const GaugeField<double, W>& end, const GaugeField<double, W>& to);

// The sum over sites and places of Re tr a b^dagger.
template <int W>
double sum_of_traces(int count, const GaugeField<double, W>& a, const GaugeField<double, W>& b);

}  // namespace trellis::measure
