// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results for an ensemble: the average of every column of its tables, functions of several averages, and the scales of
// the gradient flow, each with its error and autocorrelation time from the Gamma method (analysis/statistics.hpp).

#include "trellis/app/analyse/result_set.hpp"

namespace trellis::app {

struct Quantity {
  std::string name;
  analysis::MeanEstimate estimate;
  Spacing spacing;  // of the measurements, in trajectories or rows
  // Second half minus first half, in standard deviations; NaN if too short, or where a half has no value.
  double drift = 0;
  std::vector<analysis::Chains> series;           // the input, one entry per observable
  analysis::FunctionOfMeans function;             // of the means of `series`; empty: the mean itself
  std::vector<std::vector<double>> numbers = {};  // [chain]: the trajectories or rows of the measurements
  bool peaks = false;                             // has a maximum at a transition

  // To compare with the error of `estimate`; with jackknife_bins(), which may extend across the ends of chains. 0 for a
  // constant, NaN for too few measurements.
  struct OtherErrors {
    double jackknife = 0, bootstrap = 0;
  };
  OtherErrors other_errors() const;

  // In trajectories or rows, whereas those in `estimate` are in measurements.
  double tau_int() const { return estimate.tau_int * spacing.typical; }
  double tau_int_error() const { return estimate.tau_int_error * spacing.typical; }
  double effective_count() const;  // N / (2 tau_int), at most N
  // Reasons not to trust the error: "few" (or that there is none), "drifts", "chains differ", "uneven", or
  // where a number is infinite: "inf in 120".
  std::vector<std::string> doubts() const;
};

struct QuantityParameters {
  double s = 1.5;
  bool all = false;  // include columns that are only about the algorithm: forces, iterations, seconds
};

// Whether this is about how the chain was made, not about its configurations: acceptance, dH, forces, iterations. It
// belongs to the run, and cannot be reweighted.
bool tells_of_the_chain(const std::string& quantity);

// Whether the gradient flow of a configuration that is not cut off was measured.
bool has_flow(const Ensemble& ensemble);

// Averages of the columns, in the order of the table; the argument of the average Polyakov loop, its modulus |L|, the
// susceptibility V (<|L|^2> - <|L|>^2) and the Binder cumulant 1 - <|L|^4> / (3 <|L|^2>^2), where V is the spatial
// volume; <Q^2> / V for each topological charge, where V is the four-dimensional volume; susceptibilities of quarks
// (results/quark_measurement.hpp); t0 and w0 from the ensemble average t^2 <E>. With a potential of the
// topological charge in the action all of these also without it, "NAME, V = 0".
std::vector<Quantity> quantities(const Ensemble& ensemble, const QuantityParameters& parameters);

}  // namespace trellis::app
