// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How parallel tempering went, from the columns of a run's table (trajectory_table.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct TemperingSummary {
  std::vector<double> accepted;   // of the swaps of each replica with the next one
  std::int64_t round_trips = 0;   // of all walkers together: from the first replica to the last one and back
  std::int64_t trajectories = 0;  // that were counted
};

// Of the rows after `cut` trajectories; empty without such columns or rows.
TemperingSummary tempering_summary(const io::CsvData& table, std::int64_t cut);

// One or two lines for the summary of a run; empty without tempering.
std::string tempering_text(const io::CsvData& table, std::int64_t cut);

// The acceptance of swaps by pair, and where the first three walkers were, as HTML; empty without tempering.
std::string tempering_figures(const io::CsvData& table, std::int64_t cut);

}  // namespace trellis::app
