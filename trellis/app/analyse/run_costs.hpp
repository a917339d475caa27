// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What independent numbers cost by different algorithms (`trellis analyse --cost`): tau_int of a quantity, from the
// Gamma method, times the seconds of a trajectory, for each of several runs of one ensemble.

#include <nlohmann/json.hpp>

#include "trellis/app/analyse/quantities.hpp"

namespace trellis::app {

struct RunCost {
  std::string run;  // as it was given
  Quantity quantity;
  double seconds = 0;  // of a trajectory, the median over the kept rows; without measurements
  double tau_seconds() const { return quantity.tau_int() * seconds; }
  double tau_seconds_error() const { return quantity.tau_int_error() * seconds; }
};

// Each path is a run. InputError for measured files, for a quantity that is not there or constant (naming the others),
// for runs of different ensembles, and for those of read_results().
std::vector<RunCost> run_costs(const std::vector<std::filesystem::path>& paths, std::optional<std::int64_t> cut,
                               const std::string& quantity, double s);

// A line for each run: mean, tau_int in trajectories, s / trajectory, tau_int in seconds, and that of the first run
// divided by it, with their errors.
std::string run_costs_text(const std::vector<RunCost>& costs);
nlohmann::ordered_json run_costs_json(const std::vector<RunCost>& costs);

}  // namespace trellis::app
