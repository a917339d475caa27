// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.eigenvalues] of `trellis measure`: what to measure, and where it goes in the tables.
//
// Columns of the table: lowest_eigenvalue_<flavour>. The table of eigenvalues has a row for each configuration, flavour
// and eigenvalue, with its residual.

#include <optional>

#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/measure/staggered_eigenvalues.hpp"

namespace trellis::app {

using EigenvalueMeasurement = std::vector<measure::FlavourEigenvalues>;

struct EigenvalueJob {
  measure::EigenvalueSelection selection;
  std::vector<measure::QuarkFlavour> flavours;
  gauge::SmearingParameters smearing;

  std::vector<std::string> columns() const;
  // Cells are empty without a measurement.
  std::vector<io::CsvCell> cells(const std::optional<EigenvalueMeasurement>& m) const;

  // Of the table of eigenvalues; `number` is the name of the column that numbers its rows.
  static std::vector<std::string> table_columns(const std::string& number);
  static std::vector<std::vector<io::CsvCell>> table_rows(std::int64_t number, const EigenvalueMeasurement& m);
};

// Nothing if the input does not ask for eigenvalues.
std::optional<EigenvalueJob> eigenvalue_job(const MeasureSection& section, const QuarkInput& quarks);

}  // namespace trellis::app
