// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.wilson_loops] and [measure.glueballs]: what to measure, and its tables.
//   Wilson loops: a row for each configuration, direction, distance, time and pair of levels of smearing
//   glueballs: a row for each configuration, level of smearing and time slice

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/app/input/input_loops.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/measure/loops/glueballs.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"

namespace trellis::app {

measure::WilsonLoopSelection wilson_loop_selection(const WilsonLoopInput& input);
measure::GlueballSelection glueball_selection(const GlueballInput& input);

// `number` is the name of the column that numbers the rows.
std::vector<std::string> wilson_loop_columns(const std::string& number);
std::vector<std::string> glueball_columns(const std::string& number);

std::vector<std::vector<io::CsvCell>> wilson_loop_rows(std::int64_t number,
                                                       const std::vector<measure::WilsonLoop>& loops);
std::vector<std::vector<io::CsvCell>> glueball_rows(std::int64_t number,
                                                    const std::vector<measure::GlueballOperators>& operators);

// Rows of each configuration, on a lattice with so many time slices.
std::size_t wilson_loop_row_count(const measure::WilsonLoopSelection& selection);
std::size_t glueball_row_count(const measure::GlueballSelection& selection, int times);

}  // namespace trellis::app
