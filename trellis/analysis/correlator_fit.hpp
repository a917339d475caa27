// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Masses from correlators, in lattice units, by fits of the models in correlator_model.hpp.
// Every range of times [first, last] with enough points is fitted with correlated errors, and the fits are averaged
// with the weights of W. I. Jay and E. T. Neil (Phys. Rev. D 103 (2021) 114502),
//   w = exp(-(chi^2 + 2 parameters + 2 times left out) / 2).
// The error has two parts: the spread of the masses over the fits, and the jackknife error of their average with these
// weights held fixed. Bins are those of jackknife_bins(), of the first and the middle time, with the factor for what
// they leave out of autocorrelation; jackknife_fit() accounts for the covariance being estimated from few bins.
// Cost: 55 ranges of up to 12 times with 200 bins take 0.02 s (one Zen 4 core).

#include <cstdint>
#include <optional>

#include "trellis/analysis/correlator_model.hpp"

namespace trellis::analysis {

struct RangeFit {
  int first = 0, last = 0;
  double mass = 0, error = 0;             // for a constant: its value
  double partner = 0, partner_error = 0;  // the mass of the partner; NaN for models without
  double amplitude = 0;
  double chi2 = 0, probability = 1;
  int degrees = 0;
  double weight = 0;  // the sum over all ranges is 1
};

struct CorrelatorFit {
  double mass = 0;
  double error = 0;  // statistical and systematic together
  double statistical = 0, systematic = 0;
  double partner = 0, partner_error = 0;  // likewise, statistical and systematic together; NaN for models without
  std::vector<RangeFit> ranges;           // ordered by first, then last
  std::int64_t bins = 0;
  double shrinkage = 0;   // used in all fits
  int not_converged = 0;  // ranges that could not be fitted

  const RangeFit& best_range() const;  // the one with the largest weight
};

struct CorrelatorFitParameters {
  CorrelatorModel model = CorrelatorModel::cosh;
  int extent = 0;            // L
  bool antiperiodic = true;  // for staggered baryons
  int first = 1, last = 0;   // the times to use; last = 0: half of the extent
  // Of the jackknife; 0: as many as autocorrelation allows, 6 to 200. Errors from bins that are given here are not
  // corrected for autocorrelation.
  std::int64_t bins = 0;
  // Of the covariance (fit.hpp). Default: least_shrinkage().
  std::optional<double> shrinkage = {};
};

// correlators[configuration][t], folded for `cosh`, `two_states` and `staggered_meson`, alternately folded for
// `staggered_baryon` (effective_mass.hpp), whose middle is left out, since it may be zero by symmetry. Throws
// for fewer than 6 configurations or bins, for more bins than configurations, for too few times or too few with a
// signal, or if no range can be fitted.
CorrelatorFit fit_correlator(std::span<const Series> correlators, const CorrelatorFitParameters& asked);

}  // namespace trellis::analysis
