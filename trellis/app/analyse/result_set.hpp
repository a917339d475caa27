// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results passed to `trellis analyse`: folders or tables of runs and of measurements on files, sorted into
// ensembles. Chains with the same lattice, action, quarks, smearing, boundary and background are replica of one
// ensemble, whatever their seeds and algorithms; others are never averaged together. Measured files form one ensemble
// per folder and lattice, because their table does not contain the couplings.

#include <set>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

struct ChainResults {
  RunFolder folder;
  std::string number = "trajectory";    // the column that identifies the configuration; "row" for measured files
  std::optional<Coordinate> size = {};  // of the lattice; unknown if an earlier version measured files that are gone
  std::int64_t tastes = 0;              // of all flavours
  bool antiperiodic_time = true;        // boundary of these flavours
  gauge::Boundary boundary = {};        // of the links, in time
  io::CsvData table = {};
  std::set<std::int64_t> of_others = {};   // numbers in the table that belong to other lattices
  std::int64_t cut = 0;                    // numbers up to this one are left out
  std::optional<ActionInput> action = {};  // of a run
  std::optional<QuarkJob> quarks = {};     // what was measured with quarks
  std::set<std::string> files = {};        // that were measured, from this lattice

  bool keeps(double of) const { return of > double(cut) && !of_others.contains(std::int64_t(of)); }
  // The kept part of a column; empty if the table has no such column.
  MeasuredColumn column(std::string_view name) const;
};

struct Ensemble {
  std::string title;  // "The Wilson action, beta = 6, 8x8x8x16"
  std::vector<ChainResults> chains;
  // What identifies all runs that differ only in beta, and their title; empty for measured files.
  std::string family = {}, family_title = {};
  const std::optional<Coordinate>& size() const { return chains.front().size; }
  bool of_files() const { return chains.front().number == "row"; }
};

// Ensembles in the order in which they are encountered. cut replaces the thermalisation given in each input. InputError
// for a path that is neither a folder with results nor a table of results, for one that is given twice, and for a
// damaged input file next to the results; Error for a damaged table.
std::vector<Ensemble> read_results(const std::vector<std::filesystem::path>& paths, std::optional<std::int64_t> cut);

}  // namespace trellis::app
