// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results that `trellis analyse` is given: folders or tables of runs and of measurements on files, sorted into
// ensembles. Chains with the same lattice, action, quarks and smearing are replica of one ensemble, whatever their
// seeds and algorithms; others are never averaged together. Files that were measured are an ensemble for each folder
// and lattice: what else they have in common, their tables do not say.

#include <set>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct ChainResults {
  RunFolder folder;
  std::string number = "trajectory";    // the column that says which configuration it is, or "row" of a file
  std::optional<Coordinate> size = {};  // of the lattice; nothing if files are gone that did not say it
  std::int64_t tastes = 0;              // of all flavours
  io::CsvData table = {};
  std::set<std::int64_t> of_others = {};  // numbers in the table that are of other lattices
  std::int64_t cut = 0;                   // numbers up to this one are left out

  bool keeps(double of) const { return of > double(cut) && !of_others.contains(std::int64_t(of)); }
  bool has(std::string_view column) const;
  // What is kept of a column, where it has any numbers, and their trajectories or rows.
  struct Column {
    analysis::Series values;
    std::vector<double> trajectories;
  };
  Column column(std::string_view name) const;
};

struct Ensemble {
  std::string title;  // "The Wilson action, beta = 6, 8x8x8x16"
  std::vector<ChainResults> chains;
  const std::optional<Coordinate>& size() const { return chains.front().size; }
};

// In the order of the first of each. cut: instead of each input's thermalisation. InputError for a path that is neither
// a folder with results nor a table of them, for one that was given twice, and for damaged files.
std::vector<Ensemble> read_results(const std::vector<std::filesystem::path>& paths, std::optional<std::int64_t> cut);

}  // namespace trellis::app
