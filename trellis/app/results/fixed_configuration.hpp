// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [gauge_fixing] of `trellis measure`: its columns, and the configurations that it saves, as ILDG in double precision
// with checksum, plaquette and link trace. Their provenance has the gauge, what was reached, and the name, content and
// header of the file that the links came from, but nothing of the machine.
//
// Columns of the table: gauge_functional, gauge_residual, gauge_iterations (gauge/fixing/gauge_fixing.hpp).

#include "trellis/app/input/input_gauge_fixing.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

gauge::GaugeFixingParameters fixing_parameters(const GaugeFixingInput& input);

std::vector<std::string> fixing_columns();
// Empty without a report.
std::vector<io::CsvCell> fixing_cells(const std::optional<gauge::GaugeFixingReport>& report);

// "<name>-coulomb-<source>.ildg", without the extension of a format in between.
std::filesystem::path fixed_file(const RunFolder& folder, const GaugeFixingInput& input,
                                 const std::filesystem::path& source);

// InputError if two sources would be saved under one name, or one would replace a source.
void require_different_files(const RunFolder& folder, const GaugeFixingInput& input,
                             const std::vector<std::filesystem::path>& sources);

// By all ranks together. info and boundary: of the source.
template <int W>
void write_fixed_configuration(const std::filesystem::path& file, const GaugeFixingInput& input,
                               const gauge::GaugeFixingReport& report, const std::filesystem::path& source,
                               const io::GaugeFileInfo& info, const gauge::Boundary& boundary,
                               const GaugeField<double, W>& u);

}  // namespace trellis::app
