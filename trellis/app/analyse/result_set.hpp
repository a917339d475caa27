// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results that `trellis analyse` is given: folders or tables of runs and of measurements on files, sorted into
// ensembles. Chains with the same lattice, action, quarks, smearing, boundary and background are replica of one
// ensemble, whatever their seeds and algorithms; others are never averaged together. Measured files form one ensemble
// per folder and lattice, because their table does not contain the couplings.

#include <set>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

struct ChainResults {
  RunFolder folder;
  std::string number = "trajectory";    // the column that says which configuration it is, or "row" of a file
  std::optional<Coordinate> size = {};  // of the lattice; unknown if the measured files no longer exist
  std::int64_t tastes = 0;              // of all flavours
  io::CsvData table = {};
  std::set<std::int64_t> of_others = {};  // numbers in the table that belong to other lattices
  std::int64_t cut = 0;                   // numbers up to this one are left out

  bool keeps(double of) const { return of > double(cut) && !of_others.contains(std::int64_t(of)); }
  // What is kept of a column; nothing of one that the table does not have.
  MeasuredColumn column(std::string_view name) const;
};

struct Ensemble {
  std::string title;  // "The Wilson action, beta = 6, 8x8x8x16"
  std::vector<ChainResults> chains;
  const std::optional<Coordinate>& size() const { return chains.front().size; }
  bool of_files() const { return chains.front().number == "row"; }
};

// Ensembles in the order in which they are met. cut: replaces the thermalisation of each input. InputError for a path
// that is neither a folder with results nor a table of results, for one that is given twice, and for a damaged input
// beside them; Error for a damaged table.
std::vector<Ensemble> read_results(const std::vector<std::filesystem::path>& paths, std::optional<std::int64_t> cut);

}  // namespace trellis::app
