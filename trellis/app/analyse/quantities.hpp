// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What can be said of an ensemble: the average of every column of its tables, functions of several averages, and the
// scales of the gradient flow, each with error and autocorrelation time by the Gamma method (analysis/statistics.hpp).

#include "trellis/app/analyse/result_set.hpp"

namespace trellis::app {

struct Quantity {
  std::string name;
  analysis::MeanEstimate estimate;
  Spacing spacing;                       // of the measurements, in trajectories or rows
  double drift = 0;                      // second half minus first half, in standard deviations; NaN if too short
  std::vector<analysis::Chains> series;  // what went into it, an observable each
  analysis::FunctionOfMeans function;    // of their means; empty: the mean itself

  // In trajectories, or in rows; in `estimate` they are in measurements.
  double tau_int() const { return estimate.tau_int * spacing.typical; }
  double tau_int_error() const { return estimate.tau_int_error * spacing.typical; }
  double effective_count() const;  // N / (2 tau_int)
  // Reasons not to trust the error: "few", "drifts", "chains differ", "uneven".
  std::vector<std::string> doubts() const;
};

struct QuantityParameters {
  double s = 1.5;
  bool all = false;  // include columns about the algorithm alone: forces, iterations, seconds
};

// Averages of the columns in the table's order; |Polyakov loop|, its susceptibility V (<|L|^2> - <|L|>^2) and Binder's
// cumulant 1 - <|L|^4> / (3 <|L|^2>^2); <Q^2> / V of each charge; t0 and w0 of the ensemble's t^2 <E>.
std::vector<Quantity> quantities(const Ensemble& ensemble, const QuantityParameters& parameters);

}  // namespace trellis::app
