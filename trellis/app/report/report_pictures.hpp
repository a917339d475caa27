// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pictures of a report, each a complete figure as HTML; empty where the results have nothing to show.

#include "trellis/app/analyse/analysis.hpp"

namespace trellis::app {

// For each principal quantity: history, autocorrelation and histogram, side by side. Before there is anything to
// average, the history of the plaquette.
std::string quantity_figures(const EnsembleAnalysis& analysis);

// Real against imaginary part of the Polyakov loop, with the directions of the centre.
std::string polyakov_figure(const EnsembleAnalysis& analysis);

// t^2 <E> and t d(t^2 <E>) / dt against t, with t0 and w0^2.
std::string flow_figure(const EnsembleAnalysis& analysis);

// Effective masses of Wilson quarks, of each chain (results/effective_mass_table.hpp), with the masses of the
// ensemble's fits.
std::string mass_figures(const EnsembleAnalysis& analysis);

// Of one chain: dH and acceptance, forces and solver iterations of the terms.
std::string algorithm_figures(const ChainResults& chain);

// Of the last call of a run: a table of its kernels and their roofline.
std::string kernel_figures(const RunFolder& folder);

}  // namespace trellis::app
