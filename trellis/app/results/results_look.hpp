// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the files of results in a folder still hold, for `trellis repair`. Nothing is changed.

#include <cstdint>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct ResultLook {
  std::string name;  // as in SavedResults
  std::filesystem::path file;
  std::vector<std::string> columns = {};  // empty: HDF5
  io::CsvRemains remains = {};
  std::string problem = {};   // empty: nothing is wrong, but perhaps something is missing
  std::int64_t whole_to = 0;  // nothing with a number up to this one is damaged or missing
};

// Of a run. `checkpoints`: those that can be read; what they say of a file counts for more than how often its rows are
// due. A table that has rows from `first` + 1 on is expected.
std::vector<ResultLook> look_at_run(const RunInput& input, const RunFolder& folder,
                                    const std::vector<SavedChain>& checkpoints);

// Of `trellis measure`: every row of the table has its rows in the other files.
std::vector<ResultLook> look_at_measurements(const MeasureInput& input, const RunFolder& folder,
                                             const Coordinate& size);

// The first of these files, of which the table is the first, that has more rows than a kill can leave beside the
// table's: those of one row more. nullptr if there is none.
const ResultLook* file_ahead_of_table(const std::vector<ResultLook>& measurements);

// The number that begins a row.
std::int64_t number_of(const std::string& row);

}  // namespace trellis::app
