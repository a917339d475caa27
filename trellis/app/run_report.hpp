// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a run's table says, for people: a summary in lines, and a plot of its history.

#include <string>

#include "trellis/app/input.hpp"
#include "trellis/hmc/trajectory.hpp"
#include "trellis/io/csv_table.hpp"

namespace trellis::app {

// Where this call's time went, in seconds.
struct RunTimes {
  std::int64_t trajectories = 0;
  hmc::Profile profile;  // summed
  double measuring = 0, writing = 0;
  double seconds = 0;  // of the whole chain, with measurements and files
  double lost = 0;     // share of the time that threads waited for a core; of the rank that waited most
  void add(const hmc::Profile& trajectory);
};

// "hybrid Monte Carlo of the Wilson action, beta = 6, 8x8x8x8".
std::string describe(const RunInput& input);

// Averages over the rows after thermalisation with errors and autocorrelation times. Empty when there are none.
std::string averages_text(const RunInput& input, const io::CsvData& table);

// Seconds a trajectory and their parts. Empty when no trajectory was done.
std::string times_text(const RunTimes& times);

// SVG: history of the plaquette, and of dH with accepted and rejected apart (heatbath: of the Polyakov loop).
std::string history_plot(const RunInput& input, const io::CsvData& table);

}  // namespace trellis::app
