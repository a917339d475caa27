// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// trellis analyse --reweight: quantities as functions of beta, from runs that differ only in beta
// (analysis/reweighting.hpp). s = S / beta comes from the columns of plaquette and rectangle. Errors are by the
// jackknife: every chain is cut into the same number of bins, at most 40, as long as s and the quantity need
// (analysis::jackknife_bins, whose factor is in the errors), and bin b of all chains is left out together.

#include "trellis/app/analyse/quantities.hpp"

namespace trellis::app {

struct ReweightRange {
  double first = 0, last = 0;
  int points = 21;
};
// "5.68,5.70" or "5.68,5.70,41". InputError for anything else, and unless first < last and 2 <= points <= 1000.
ReweightRange parse_reweight_range(const std::string& text);

struct ReweightedQuantity {
  struct Point {
    double beta = 0, value = 0, error = 0;
    double effective_count = 0;  // of independent measurements
  };
  // The maximum, for quantities that have one at a transition, if it is inside the range in all jackknife samples.
  struct Peak {
    double beta = 0, beta_error = 0, value = 0, value_error = 0;
  };
  std::string name;
  int bins = 0;  // of the jackknife
  std::vector<Point> points;
  std::optional<Peak> peak;
};

struct ReweightedFamily {
  std::string title;
  std::vector<double> betas;  // of the runs
  double overlap = 1;         // of neighbours: Reweighting::overlap
  std::vector<ReweightedQuantity> quantities;
  std::vector<std::string> too_few;  // quantities without an error, because all measurements are in one bin
  std::string problem;               // why, if there are none
};

struct MeasuredEnsemble {
  const Ensemble& ensemble;
  const std::vector<Quantity>& quantities;
};

// One per family of runs; measured files are not reweighted, because their table does not contain the action.
// Quantities that only some of the runs have are left out.
std::vector<ReweightedFamily> reweighted_families(const std::vector<MeasuredEnsemble>& all, const ReweightRange& range);

}  // namespace trellis::app
