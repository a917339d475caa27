// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Observables on configuration files: a table with one row per file, and flow curves in HDF5.
//
// The headers of all files are read before anything is written. Files whose row is already in the table are skipped, so
// the job can be stopped and called again, and files can be added; a change of [measure] is refused. A file's flow
// curve is on disk before its row. A damaged file ends the job with an Error; the rows before it stay.

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/progress.hpp"

namespace trellis::app {

// The columns of the table.
std::vector<std::string> measure_columns(const ObservableColumns& columns);

// The different sizes of the lattices. Throws InputError as measure_files() does.
std::vector<Coordinate> sizes_of(const MeasureInput& input);

// What measure_files() checks before it writes anything, and a summary. Returns 0, or throws as measure_files() does.
int check_measure(const MeasureInput& asked, const Console& console);

// Exit codes as in run_chain().
int measure_files(const MeasureInput& asked, const std::string& command, const Console& console);

}  // namespace trellis::app
