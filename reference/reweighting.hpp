// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dynamical quarks by reweighting: <O> = <O w> / <w> over configurations of the pure gauge action, with
//
//   log w = sum_f (N_f / 4) log det M_f,   det M = det(m^2 - D_eo D_oe) > 0, with stout-smeared or HISQ links.
//
// Exact, and independent of the simulation algorithm: tests a complete RHMC on small lattices, where w fluctuates
// little. Both numbers come from one Cholesky decomposition per flavour: a fraction of a second for 4^4.

#include <vector>

#include "reference/rooted_action.hpp"

namespace trellis::reference {

struct Flavour {
  QuarkPhases phases;
  double mass;
  double tastes;              // N_f: 1 for a single quark, 2 for two degenerate ones, 4 without rooting
  double naik_epsilon = 0.0;  // of HISQ links
};

struct QuarkWeight {
  double log_weight;
  std::vector<double> condensates;  // for each entry of flavours, (N_f / 4) tr M^-1 / V
};
QuarkWeight quark_weight(const GaugeConfiguration& u, const std::vector<Flavour>& flavours, const Smearing& smearing);
QuarkWeight hisq_weight(const GaugeConfiguration& u, const std::vector<Flavour>& flavours);  // hisq.hpp

// sum values exp(log_weights) / sum exp(log_weights), without overflow.
double reweighted_average(const std::vector<double>& values, const std::vector<double>& log_weights);

// (sum w)^2 / sum w^2: the effective number of configurations after reweighting.
double effective_number(const std::vector<double>& log_weights);

}  // namespace trellis::reference
