// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is still intact in the result files of a folder, for `trellis repair`. Changes nothing.

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
  std::string problem = {};   // empty: nothing is wrong, though something may be missing
  std::int64_t whole_to = 0;  // everything numbered up to this is intact
};

// For a run. `checkpoints`: those that can be read; what they say of a file outweighs how often its rows are due. The
// table is expected to begin after `input.start.trajectory`.
std::vector<ResultLook> look_at_run(const RunInput& input, const RunFolder& folder,
                                    const std::vector<SavedChain>& checkpoints);

// For `trellis measure`: every row of the table has its rows in the other files.
std::vector<ResultLook> look_at_measurements(const MeasureInput& input, const RunFolder& folder,
                                             const Coordinate& size);

// The first of these files that is more than one row ahead of the table, which is measurements[0]: a kill leaves at
// most one. nullptr if there is none.
const ResultLook* file_ahead_of_table(const std::vector<ResultLook>& measurements);

// The number that begins a row.
std::int64_t number_of(const std::string& row);

}  // namespace trellis::app
