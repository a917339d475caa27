// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Energy density and topological charge of each time slice, with any boundary in time (boundary.hpp). In lattice units,
// sums over the sites or plaquettes of a slice of V_3 sites:
//   clover, as in clover.hpp: E(t) = 1/V_3 sum_x sum_{mu < nu} tr F_{mu nu}^2 in a spatial and a temporal part, and
//     Q(t) = sum_x q(x). On boundaries, where not all leaves exist, both are 0, as in openQCD.
//   plaquettes: E(t) = 2/V_3 [w sum_s (3 - Re tr P) + 1/2 sum_t (3 - Re tr P)] with the spatial plaquettes of the
//     slice, w = 1/2 on boundaries and otherwise 1, and the temporal ones that begin or end on it. V_3 times the sum
//     over slices is the action with c_G = 1 for g^2 = 1, whose total openQCD calls Wact; that of clover is its Yact.
// Slices beyond the last one have zeros.
// Cost: that of clover_observables() and plaquette(), and a pass over the tables of sites for each slice.

#include <vector>

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/gauge/clover.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

struct SliceObservables {
  double energy_spatial = 0, energy_temporal = 0;  // clover
  double energy_plaquette = 0;
  double topological_charge = 0;
};

// One for each t.
template <class T, int W>
std::vector<SliceObservables> slice_observables(const Boundary& boundary, const GaugeField<T, W>& u);

// Averages over the slices that have a value: for energies of the clover those between the boundaries.
CloverObservables clover_of(const std::vector<SliceObservables>& slices, const Boundary& boundary,
                            const Coordinate& size);
// The same from links, with any boundary.
template <int W>
CloverObservables clover_observables(const Boundary& boundary, const GaugeField<double, W>& u) {
  if (boundary.is_periodic()) return clover_observables(u);
  return clover_of(slice_observables(boundary, u), boundary, u.lattice().size());
}

// Averages over the plaquettes, rectangles and parallelograms that exist.
template <class T, int W>
Plaquette plaquette(const Boundary& boundary, const GaugeField<T, W>& u);
template <class T, int W>
double rectangle(const Boundary& boundary, const GaugeField<T, W>& u);
template <class T, int W>
double parallelogram(const Boundary& boundary, const GaugeField<T, W>& u);

}  // namespace trellis::gauge
