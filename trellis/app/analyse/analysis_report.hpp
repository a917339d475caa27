// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis analyse` found out about an ensemble: as text for people, as JSON for programs, and as plots.

#include <nlohmann/json.hpp>

#include "trellis/app/analyse/masses.hpp"
#include "trellis/app/analyse/physical_scale.hpp"
#include "trellis/app/analyse/quantities.hpp"
#include "trellis/app/analyse/reweighted.hpp"

namespace trellis::app {

struct EnsembleAnalysis {
  Ensemble ensemble;
  std::vector<Quantity> quantities;
  std::vector<FittedMass> masses;
  PhysicalScale scale;

  // The lattice spacing in fm with its error, from w0 if it is known, otherwise from t0; `from` says which.
  struct LatticeSpacing {
    double value = 0, error = 0;
    std::string from;
  };
  std::optional<LatticeSpacing> lattice_spacing() const;
  // From results for the same files, if there is none here.
  std::optional<LatticeSpacing> of_same_files = {};
};

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
