// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Masses from correlators, in lattice units. Models of C(t), on a lattice of extent L in time:
//   exponential   A exp(-m t)
//   cosh          A (exp(-m t) + exp(-m (L - t)))
//   two_states    A (exp(-m t) + exp(-m (L - t))) + B (the same with m + d), d > 0
//   constant      A
// Every range of times [first, last] with enough points is fitted, with correlated errors; the fits are averaged with
// the weights of W. I. Jay and E. T. Neil (Phys. Rev. D 103 (2021) 114502),
//   w = exp(-(chi^2 + 2 parameters + 2 times left out) / 2),
// and the spread of the masses over the fits is part of the error. The rest is by the jackknife, with these weights,
// whose bins must be longer than the autocorrelation.

#include <cstdint>
#include <string>

#include "trellis/analysis/fit.hpp"
#include "trellis/core/base/named.hpp"

namespace trellis::analysis {

enum class CorrelatorModel { exponential, cosh, two_states, constant };

inline constexpr NamedValue<CorrelatorModel> correlator_models[] = {{"exponential", CorrelatorModel::exponential},
                                                                    {"cosh", CorrelatorModel::cosh},
                                                                    {"two_states", CorrelatorModel::two_states},
                                                                    {"constant", CorrelatorModel::constant}};

struct RangeFit {
  int first = 0, last = 0;
  double mass = 0, error = 0;  // of a constant: its value
  double amplitude = 0;
  double chi2 = 0, probability = 1;
  int degrees = 0;
  double weight = 0;  // of all ranges together 1
};

struct CorrelatorFit {
  double mass = 0;
  double error = 0;  // statistical and systematic together
  double statistical = 0, systematic = 0;
  std::vector<RangeFit> ranges;  // by first, then last
  std::int64_t bins = 0;
  double shrinkage = 0;   // that was used
  int not_converged = 0;  // ranges that are left out for it
};

struct CorrelatorFitParameters {
  CorrelatorModel model = CorrelatorModel::cosh;
  int extent = 0;           // L
  int first = 1, last = 0;  // the times that may take part; last = 0: half of the extent, or extent - 1 where the
                            // correlator does not go round
  std::int64_t bins = 0;    // of the jackknife; 0: as many as autocorrelation allows, up to 200
  double shrinkage = -1;    // of the covariance; below 0: 0 if there are twice as many bins as times, else as little
                            // as makes up for it
};

// correlators[configuration][t], folded where the state goes round. Error for fewer than 4 configurations, for times
// without a signal, or if no range can be fitted.
CorrelatorFit fit_correlator(std::span<const Series> correlators, const CorrelatorFitParameters& asked);

}  // namespace trellis::analysis
