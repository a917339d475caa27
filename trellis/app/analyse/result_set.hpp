// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results that `trellis analyse` is given: folders or tables of runs, sorted into ensembles. Chains with the same
// lattice, action, quarks and smearing are replica of one ensemble, whatever their seeds and algorithms; others are
// never averaged together.

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct ChainResults {
  RunFolder folder;
  RunInput input;
  io::CsvData table;
  std::int64_t cut = 0;  // trajectories up to this one are left out

  bool has(std::string_view column) const;
  // A column's numbers after the cut, where it has any, and their trajectories.
  struct Column {
    analysis::Series values;
    std::vector<double> trajectories;
  };
  Column column(std::string_view name) const;
};

struct Ensemble {
  std::string title;  // "The Wilson action, beta = 6, 8x8x8x16"
  std::vector<ChainResults> chains;
  const RunInput& input() const { return chains.front().input; }
};

// In the order of the first of each. cut: instead of each input's thermalisation. InputError for a path that is neither
// a folder with the results of a run nor the table of one, for one that was given twice, and for damaged files.
std::vector<Ensemble> read_results(const std::vector<std::filesystem::path>& paths, std::optional<std::int64_t> cut);

}  // namespace trellis::app
