// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The comparisons that check_loops() makes, each a line of the report. Limits: verify_limits.hpp.

#include "trellis/app/verify/naive_loops.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/defect/defect.hpp"
#include "trellis/hmc/term.hpp"

namespace trellis::app {

// The largest difference of an average of plaquettes or rectangles that exist, from naive ones.
template <int W>
Outcome compare_averages(const gauge::Boundary& boundary, const GaugeField<double, W>& u, const NaiveAverages& naive);

// S(v) - S(u) of all these terms from the naive one of the action's weights, relative to the bound of S(u).
template <int W>
Outcome compare_energies(const hmc::Terms<double, W>& terms, const GaugeField<double, W>& v,
                         const GaugeField<double, W>& u, const gauge::LoopWeights& weights,
                         const gauge::Boundary& boundary);

// The same with the defect of [tempering] at this coupling: naive loops of links that are multiplied by it.
template <int W>
Outcome compare_energies_with_defect(const hmc::Terms<double, W>& terms, const GaugeField<double, W>& v,
                                     const GaugeField<double, W>& u, const gauge::LoopWeights& weights,
                                     const gauge::Defect& defect, double coupling);

// Overrelaxation of u to v, which changes links but not S: the naive one, relative to its bound.
template <int W>
Outcome compare_overrelaxation(const GaugeField<double, W>& v, const GaugeField<double, W>& u,
                               const gauge::LoopWeights& weights, const gauge::Boundary& boundary);

// The links after a step along random momenta, with what the boundary fixes as it is.
template <int W>
GaugeField<double, W> displaced(const GaugeField<double, W>& u, const gauge::Boundary& boundary, std::uint64_t seed);

// Energies of each slice by the clover and by plaquettes, and charges per site of a slice: the largest difference.
Outcome compare_slices(const std::vector<gauge::SliceObservables>& found, const std::vector<NaiveSlice>& naive,
                       double sites);

}  // namespace trellis::app
