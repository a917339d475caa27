// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tables beside the main one, for results with many rows per configuration:
//   <name>-quarks.csv                        a row for each flavour and noise vector (quark_measurement.hpp)
//   <name>-hadrons.csv                       a row for each kappa, sink, n^2 and time (hadron_measurement.hpp)
//   <name>-three-point.csv                   a row for each fixed sink, current, momentum and time, likewise
//   <name>-staggered-hadrons.csv             a row for each pair of flavours, n^2 and time
//                                            (staggered_hadron_measurement.hpp)
//   <name>-eigenvalues.csv                   a row for each flavour and eigenvalue (eigenvalue_measurement.hpp)
//   <name>-slices.csv                        a row for each flow time and time slice
//                                            (gauge/boundary/slice_observables.hpp)
//   <name>-wilson-loops.csv, <name>-glueballs.csv   (gauge/loop_tables.hpp)
//   <name>-cooling.csv, <name>-stout.csv     steps, topological_charge, plaquette (measure/smoothing.hpp)
// Their first column is the number of the main table's row. Rows are written here before the main table's; rows beyond
// it, left by a kill, are dropped when the job continues.

#include "trellis/app/input/observables.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

struct SideFile {
  std::string name;  // in SavedResults
  std::filesystem::path file;
  std::vector<std::string> columns;
  std::string what;  // the contents, for people
};
std::vector<SideFile> side_files(const RunFolder& folder, const std::string& number, const ObservableColumns& columns);

class SideTables {
 public:
  // Continues existing files. `number`: the name of the first column.
  SideTables(const RunFolder& folder, const std::string& number, const ObservableColumns& columns);

  void drop_after(std::int64_t last);
  // By the names in side_files().
  SavedResults rows();
  void require(const SavedResults& saved);
  // A table of which nothing was saved, because it was not measured then, keeps its rows up to `last`.
  void go_back_to(const SavedResults& saved, std::int64_t last);
  void add(std::int64_t number, const Measurement& m);
  // For people: (file, contents).
  std::vector<std::pair<std::filesystem::path, std::string>> files() const;

 private:
  std::string number_;
  std::optional<QuarkJob> job_;
  std::optional<HadronJob> hadron_job_;
  std::optional<StaggeredHadronJob> staggered_job_;
  std::vector<SideFile> side_files_;
  std::map<std::string, io::CsvTable> tables_;
};

// Removes existing ones, for a run that starts from the beginning.
void remove_side_tables(const RunFolder& folder);

}  // namespace trellis::app
