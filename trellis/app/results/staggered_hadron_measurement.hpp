// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.staggered_hadrons]: what to measure, and where it goes in the tables.
//
// Columns of the run's table: staggered_hadron_iterations (over all solves), staggered_hadron_residual (the largest
// true residual), staggered_hadron_ward (the largest relative violation of the Ward identity). The table of staggered
// hadrons has a row for each configuration, pair of flavours ("l" or "l.s"), n^2 of the momentum and time, with a
// column for each channel: the real part of the correlator, averaged over sources and over the momenta of that n^2;
// empty for the nucleon of different flavours.

#include <filesystem>
#include <optional>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/correlator_layout.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::app {

struct StaggeredHadronJob {
  measure::StaggeredHadronSelection selection;
  std::vector<measure::QuarkFlavour> flavours;
  gauge::SmearingParameters smearing;

  // In the order in which they are measured.
  std::vector<measure::StaggeredHadron> hadrons() const;

  std::vector<std::string> columns() const;
  // Cells are empty without a measurement.
  std::vector<io::CsvCell> cells(const std::optional<measure::StaggeredHadronMeasurement>& m) const;

  // Of the table of staggered hadrons; `number` is the name of the column that numbers its rows.
  std::vector<std::string> table_columns(const std::string& number) const;
  std::vector<std::vector<io::CsvCell>> table_rows(std::int64_t number,
                                                   const measure::StaggeredHadronMeasurement& m) const;
  // Of one configuration.
  std::size_t table_row_count(int times) const;

  // Of the correlators on a lattice of this size.
  CorrelatorLayout layout(const Coordinate& size) const;

  bool is_periodic() const { return flavours.empty() || flavours[0].phases.boundary.is_periodic(); }
  // As of HadronJob.
  int times_after_sources(int times) const;
  std::vector<std::size_t> sources_at(int t, int times) const;
};

// Nothing if the input does not ask for staggered hadrons.
std::optional<StaggeredHadronJob> staggered_hadron_job(const MeasureSection& section, const QuarkInput& quarks);

// Warns of wall sources, of Wilson or staggered quarks, on links that are in no gauge; `remedy` says what to do. With
// `files`, unless all of them say that they are gauge fixed (origin/recorded_gauge.hpp).
void warn_of_walls(const MeasureSection& section, std::string_view remedy,
                   const std::vector<std::filesystem::path>& files = {});

}  // namespace trellis::app
