// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The potential of two static quarks from Wilson loops, in lattice units:
//   V(r) = log [ W(r, t) / W(r, t + 1) ]  for each t,
// which approaches the potential as t grows, and its fit
//   V(r) = V_0 - alpha / r + sigma r
// (E. Eichten et al., Phys. Rev. D 17 (1978) 3090) with correlated errors, for Sommer's scale
//   r_0 = sqrt[ (1.65 - alpha) / sigma ],  where r^2 dV/dr = 1.65  (R. Sommer, hep-lat/9310022).
// All errors are from the jackknife, as in correlator_fit.hpp, with bins for the longest autocorrelation of all loops.
// Fits of different t use the same distances; the first t whose r_0 agrees with that of t + 1, within the error of
// their difference, is the `chosen` one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/analysis/statistics.hpp"

namespace trellis::analysis {

struct LoopsAtDistance {
  double distance = 0;        // r
  std::vector<Series> loops;  // W, [configuration][t - 1]
};

struct PotentialParameters {
  // The distances to fit. first = 0: sqrt(2), since neighbours have the largest errors of discretisation, if at least
  // four distances are left; otherwise all. last = 0: all.
  double first = 0, last = 0;
  std::int64_t bins = 0;  // as in CorrelatorFitParameters
};

struct PotentialFit {
  double constant = 0, constant_error = 0, alpha = 0, alpha_error = 0, sigma = 0, sigma_error = 0;
  double r0 = 0, r0_error = 0;  // NaN if sigma is not positive
  double chi2 = 0, probability = 1;
  int degrees = 0;
  double first = 0, last = 0;  // the distances that were fitted
  Series samples;              // r0 of the jackknife
};

struct PotentialAtTime {
  int time = 0;              // t
  Series potential, errors;  // by distance; NaN where loops are lost in noise
  std::optional<PotentialFit> fit;
  std::string problem;  // why, if there is no fit
};

struct StaticPotential {
  Series distances;  // ascending
  std::vector<PotentialAtTime> times;
  std::int64_t bins = 0;
  double shrinkage = 0;       // of the covariance (fit.hpp)
  std::optional<int> chosen;  // index in `times`; empty if no two neighbouring times agree

  // That of this time; null if there is none.
  const PotentialAtTime* at_time(int time) const;
};

// Throws for too few configurations or times, and for distances with different numbers of them.
StaticPotential static_potential(std::vector<LoopsAtDistance> loops, const PotentialParameters& parameters);

}  // namespace trellis::analysis
