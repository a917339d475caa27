// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis analyse` found out about an ensemble: as text for people, as JSON for programs, and as plots.

#include <nlohmann/json.hpp>

#include "trellis/app/analyse/analysis.hpp"
#include "trellis/app/analyse/reweighted.hpp"

namespace trellis::app {

// compare: with the errors of the jackknife and the bootstrap beside those of the Gamma method.
std::string analysis_text(const EnsembleAnalysis& analysis, bool compare = false);
nlohmann::ordered_json analysis_json(const EnsembleAnalysis& analysis, bool compare = false);

// SVG: rho(t) and tau_int(W) for each quantity, in trajectories, with the chosen window.
std::string autocorrelation_plot(const EnsembleAnalysis& analysis);

std::string reweighted_text(const ReweightedFamily& family);
nlohmann::ordered_json reweighted_json(const ReweightedFamily& family);
// SVG: each quantity as a function of beta, with its error.
std::string reweighted_plot(const ReweightedFamily& family);

}  // namespace trellis::app
