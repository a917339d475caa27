// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Observables on configuration files: a table with a row a file, and flow curves in HDF5.
//
// The headers of all files are read before anything is written. Files whose row is in the table already are left out,
// so that the job can be stopped and called again, and more files given; a change of [measure] is refused. A file's
// flow curve is on the disk before its row. A file that turns out damaged ends the job with an Error; the rows before
// it stay.

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/progress.hpp"

namespace trellis::app {

// The columns of the table.
std::vector<std::string> measure_columns(const ObservableColumns& columns);

// Exit codes as those of run_chain().
int measure_files(const MeasureInput& input, const std::string& command, const Console& console);

}  // namespace trellis::app
