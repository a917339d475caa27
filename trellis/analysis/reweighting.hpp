// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Multi-histogram reweighting: averages at any coupling, from runs at one or several.
// A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 63 (1989) 1195; without histograms, as in M. R. Shirts and
// J. D. Chodera, J. Chem. Phys. 129 (2008) 124105.
//
// Run i has the weight exp(-beta_i s) with s = S / beta, the action without its coupling; whatever else is in the
// weight, such as determinants of quarks, must be the same for all runs. N_i measurements are worth n_i = N_i / g_i
// independent ones, g_i = 2 tau_int. At the coupling beta a measurement counts as
//   w = exp(-beta s) / (g_i D(s)),   D(s) = sum_j n_j exp(f_j - beta_j s),
// where the free energies f_i = -log Z(beta_i) are those for which exp(-f_i) is the sum of w(beta_i) over all
// measurements. They minimise a convex function, so Newton's method finds them in a few steps. Only their differences
// matter: the first is 0.

#include "trellis/analysis/statistics.hpp"

namespace trellis::analysis {

struct ReweightingRun {
  double coupling = 0;
  Series action;         // s of each measurement
  double tau_int = 0.5;  // of s, in measurements
};

class Reweighting {
 public:
  // Throws if there are no runs, or runs without measurements, or if two runs at neighbouring couplings overlap less
  // than `least_overlap`. Cost: some ten times R N exponentials, for N measurements at R couplings.
  explicit Reweighting(const std::vector<ReweightingRun>& runs);

  const Series& couplings() const { return couplings_; }  // increasing, each only once
  Series free_energies() const;

  // How much runs at neighbouring couplings overlap, the smallest of all pairs: from 0, not at all, to 1, the same
  // distribution. It is (n_i + n_j) / (n_i n_j) sum_m p_m (1 - p_m) / g over the measurements of both, where p_m is the
  // probability that a measurement of this s was made at the first of the two.
  double overlap() const { return overlap_; }
  static constexpr double least_overlap = 0.01;

  // log D(s), up to a constant.
  double log_density(double action) const;

 private:
  Series couplings_, counts_, free_energies_;  // counts: N / g; free energies of s - origin
  double origin_ = 0, overlap_ = 1;
};

// Measurements of some observables in one of the runs, perhaps on fewer configurations than s.
struct ReweightedSeries {
  Series action;                    // s of the same configurations
  std::vector<Series> observables;  // [observable][measurement]
  double tau_int = 0.5;             // of s, in measurements of the observables
  double weight = 1;                // n_i divided by the number of measurements here
};

struct ReweightedMeans {
  Series means;  // of each observable: sum w O / sum w
  // The number of independent measurements at this coupling that would have the same weight:
  // (sum w)^2 / sum 2 tau_int w^2.
  double effective_count = 0;
};

// Averages as functions of the coupling. Constructing it costs R N exponentials, each call N.
class ReweightedAverages {
 public:
  // Throws if there are no measurements, or if series have different lengths.
  ReweightedAverages(const Reweighting& reweighting, std::vector<ReweightedSeries> runs);
  ReweightedMeans operator()(double coupling) const;

 private:
  std::vector<ReweightedSeries> runs_;
  std::vector<Series> log_weights_;  // without exp(-beta s)
};

}  // namespace trellis::analysis
