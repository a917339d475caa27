// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis analyse` found out about an ensemble: as text for people, as JSON for programs, and as plots.

#include <nlohmann/json.hpp>

#include "trellis/app/analyse/analysis.hpp"

namespace trellis::app {

std::string analysis_text(const EnsembleAnalysis& analysis);
nlohmann::ordered_json analysis_json(const EnsembleAnalysis& analysis);

// SVG: rho(t) and tau_int(W) for each quantity, in trajectories, with the chosen window.
std::string autocorrelation_plot(const EnsembleAnalysis& analysis);

}  // namespace trellis::app
