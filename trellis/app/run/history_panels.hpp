// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Histories of chains, for a run's own picture and for reports. Thermalisation is shown,
// shaded, but the range of y is that of what follows it.

#include "trellis/io/tables/csv_table.hpp"
#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {

// A column of one chain, thermalisation included.
struct History {
  std::vector<double> numbers = {}, values = {};  // of trajectories or files
  std::int64_t cut = 0;                           // numbers up to this one are thermalisation
  std::string label = {};                         // for the legend
};

// `mean` with its `error`: a band over what follows thermalisation; NaN: no band.
plot::Panel history_panel(const std::string& title, const std::vector<History>& chains, double mean, double error,
                          const std::string& counted_in = "trajectory");

// dH of each trajectory, accepted and rejected ones marked differently. The table must have the columns trajectory, dH
// and accepted.
plot::Panel energy_panel(const io::CsvData& table, std::int64_t cut);

}  // namespace trellis::app
