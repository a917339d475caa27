// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gauge action and averages of loops with any boundary in time, loop by loop, for comparison in `trellis verify`.
// Formulas: gauge/action.hpp, gauge/boundary/boundary.hpp, gauge/clover.hpp, gauge/boundary/slice_observables.hpp.

#include "trellis/app/verify/naive_links.hpp"

namespace trellis::app {

// Of Re tr / 3 over the loops that exist.
struct NaiveAverages {
  double plaquette_spatial = 0, plaquette_temporal = 0, plaquette = 0, rectangle = 0;
};
NaiveAverages naive_averages(const NaiveLinks& u, const gauge::Boundary& boundary);

// S, and sum over all loops of their weights times 2, which bounds it.
struct NaiveAction {
  double value = 0, bound = 0;
};
NaiveAction naive_action(const NaiveLinks& u, const gauge::LoopWeights& weights, const gauge::Boundary& boundary);

// dS/d eta of a Schroedinger functional for beta = 1 (gauge/boundary/eta_derivative.hpp): the numerical derivative of
// S, wrong by some 1e-9 for each site of a slice.
double naive_eta_derivative(const NaiveLinks& u, const gauge::Boundary& boundary);

// Of one slice: averages over its sites of sum_{mu < nu} tr F^2, F from four leaves, of planes in space and with t; the
// sum of the charge; the energy of plaquettes. And averages over slices that have all leaves, with the total charge.
struct NaiveSlice {
  double energy_spatial = 0, energy_temporal = 0, energy_plaquette = 0, charge = 0;
};
std::vector<NaiveSlice> naive_slices(const NaiveLinks& u, const gauge::Boundary& boundary);
NaiveSlice naive_mean(const std::vector<NaiveSlice>& slices, const gauge::Boundary& boundary);

}  // namespace trellis::app
