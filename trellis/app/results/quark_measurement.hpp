// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.quarks]: what is to be measured, the columns of its results, and what an ensemble's averages say.
//
// Columns of the run's table, f a flavour, b a plane (ex .. bz), f.g two flavours (measure/quark_observables.hpp has
// the formulas; all in lattice units, without bias):
//   condensate_f, chiral_disconnected_f (2 noise vectors at least)
//   quark_number_f                      imaginary part; the real one is zero
//   susceptibility_connected_f, susceptibility_disconnected_f
//   magnetisation_b_f                   by the quanta of f, charge times flux
//   chiral_mixed_f.g, susceptibility_mixed_f.g
// The table of noise vectors has a row for each flavour and vector, with the real and imaginary part of each estimate.

#include <functional>

#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/measure/quark_observables.hpp"

namespace trellis::app {

struct QuarkJob {
  measure::QuarkSelection selection;
  std::vector<measure::QuarkFlavour> flavours;
  gauge::StoutParameters smearing;

  std::vector<std::string> columns() const;
  // Empty cells without a measurement.
  std::vector<io::CsvCell> cells(const std::optional<measure::QuarkMeasurement>& m) const;

  // Of the table of noise vectors; `number` says what its rows are numbered by.
  std::vector<std::string> noise_columns(const std::string& number) const;
  std::vector<std::vector<io::CsvCell>> noise_rows(std::int64_t number, const measure::QuarkMeasurement& m) const;
};

// Nothing when the input does not ask for quarks.
std::optional<QuarkJob> quark_job(const MeasureSection& section, const QuarkInput& quarks);

// Averages with errors by the Gamma method from the columns above, a line each: condensates, densities, and with the
// products of averages taken off chi / T^2 and the disconnected chiral susceptibility.
using SeriesOf = std::function<std::vector<double>(const std::string& column)>;
std::string quark_averages(const QuarkJob& job, const Coordinate& size, const SeriesOf& series);

}  // namespace trellis::app
