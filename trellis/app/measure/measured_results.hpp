// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results of `trellis measure`: the files of a call, which continue those that are there, and what is said of them
// at its end.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/measure/sources.hpp"
#include "trellis/app/origin/table_descriptions.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/folder_lock.hpp"
#include "trellis/app/results/hadron_file.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/side_tables.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

// The first column after those that say which file it is.
inline constexpr std::size_t first_observable = 3 + size_columns.size();

// Of the links in a file, by which it is recognised.
std::string content_of(const MeasureInput& input, const Source& source);

// The flow curves and the table were made with the keys of [measure] and of quarks in the folder's resolved input.
// These must not change.
void require_same_measure(const RunFolder& folder, const MeasureInput& input);

// The files of a call, on the first rank.
struct MeasuredResults {
  const MeasureInput& input;
  const std::vector<Source>& sources;
  const ObservableColumns& columns;
  RunFolder folder;
  FolderLock lock;
  std::optional<io::CsvTable> table = {};
  std::optional<FlowFile> flow = {};
  std::optional<HadronFile> hadrons = {}, staggered_hadrons = {};
  std::optional<SideTables> side = {};
  std::string note = {};
  FileOrigin origin;

  MeasuredResults(const MeasureInput& asked, const std::vector<Source>& files, const ObservableColumns& of,
                  RunFolder where);

  // Continues what is there; returns the names of the files that have been measured.
  std::vector<std::string> open();

  std::vector<std::string> open_whole();

  std::int64_t rows() const { return static_cast<std::int64_t>(table->rows().rows); }

  // Every row of the table has its part in the other files.
  void require_all_rows() const;

  // Files with the same content as another: correct after rejected trajectories, but a copy counts twice.
  std::string note_of_copies(const std::vector<std::string>& measured) const;

  // A file is identified by its name and content; one that was moved, by the last part of its name.
  std::vector<std::string> find_measured() const;

  void add(std::int64_t row, const Source& source, const Measurement& m, double seconds);

  // The contents of each file.
  void say(const Console& console) const;
};

}  // namespace trellis::app
