// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The static potential of an ensemble from its Wilson loops (analysis/static_potential.hpp). Of several levels of
// smearing the combination is used that couples best to the lowest state at t = 1 and 2 (analysis/variational.hpp), for
// each distance; if there is none, the highest level.

#include "trellis/analysis/static_potential.hpp"
#include "trellis/app/analyse/result_set.hpp"

namespace trellis::app {

struct EnsemblePotential {
  std::optional<analysis::StaticPotential> found;
  std::string problem;                           // why, if there is none
  std::vector<std::string> without_combination;  // distances for which the highest level is used instead
};

// Nothing if the chains have no Wilson loops.
std::optional<EnsemblePotential> static_potential(const Ensemble& ensemble,
                                                  const analysis::PotentialParameters& parameters);

}  // namespace trellis::app
