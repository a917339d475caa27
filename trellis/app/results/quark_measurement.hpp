// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.quarks]: what to measure, the columns of its results, and averages over an ensemble.
//
// Columns of the run's table, f a flavour, b a plane (ex .. bz), f.g two flavours (formulas in
// measure/quark_observables.hpp; all in lattice units, unbiased):
//   condensate_f, chiral_disconnected_f (with at least 2 noise vectors)
//   quark_number_f                      imaginary part; the real part is zero
//   susceptibility_connected_f, susceptibility_disconnected_f
//   magnetisation_b_f                   per quantum of f, charge times flux
//   chiral_mixed_f.g, susceptibility_mixed_f.g
// The table of noise vectors has a row for each flavour and vector (one, the trace itself, where it is exact), with the
// real and imaginary part of each estimate.

#include <functional>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/measure/quark_observables.hpp"

namespace trellis::app {

struct QuarkJob {
  measure::QuarkSelection selection;
  std::vector<measure::QuarkFlavour> flavours;
  gauge::SmearingParameters smearing;

  std::vector<std::string> columns() const;
  // Cells are empty without a measurement.
  std::vector<io::CsvCell> cells(const std::optional<measure::QuarkMeasurement>& m) const;

  // Of the table of noise vectors; `number` is the name of the column that numbers its rows.
  std::vector<std::string> noise_columns(const std::string& number) const;
  std::vector<std::vector<io::CsvCell>> noise_rows(std::int64_t number, const measure::QuarkMeasurement& m) const;
};

// The flavours with these names, in the order of the input, as observables know them.
std::vector<measure::QuarkFlavour> measured_flavours(const QuarkInput& quarks, const std::vector<std::string>& names);

// Nothing if the input does not ask for quarks.
std::optional<QuarkJob> quark_job(const MeasureSection& section, const QuarkInput& quarks);

// What follows from averages of the columns above: condensates, densities and, with the products of averages
// subtracted, chi / T^2 and the disconnected chiral susceptibility.
struct DerivedQuantity {
  std::string name;
  std::vector<std::string> columns;
  analysis::FunctionOfMeans function;  // of the averages of these columns
  bool peaks = false;                  // has a maximum at a transition
};
std::vector<DerivedQuantity> quark_quantities(const QuarkJob& job, const Coordinate& size);

// These with their errors by the Gamma method, one per line.
using SeriesOf = std::function<std::vector<double>(const std::string& column)>;
std::string quark_averages(const QuarkJob& job, const Coordinate& size, const SeriesOf& series);

}  // namespace trellis::app
