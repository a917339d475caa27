// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.hadrons]: what to measure, and where it goes in the tables.
//
// Columns of the run's table: hadron_iterations (over all solves), hadron_residual (the largest true residual).
// The table of hadrons has a row for each configuration, kappa or combination of named quarks, sink, n^2 of the
// momentum and time, with a column for each channel: the real part of the correlator, averaged over sources and over
// the momenta of that n^2; empty for channels that these quarks do not form. With noise sources there is also the error
// by noise of each channel, <channel>_noise_error: that of the average over vectors and times of sources, from how the
// vectors of each time differ; empty for one vector.
//
// The table of three-point functions has a row for each configuration, fixed sink, current, momentum and time of the
// current: real and imaginary part, averaged over sources.

#include <optional>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/correlator_layout.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::app {

// The correlators of some quarks with one sink.
struct HadronBlock {
  std::string quarks;           // kappa as text, or the combination's name: "l.s"
  std::optional<double> kappa;  // unless quarks have names
  std::string sink;
  bool has_current;                                         // a three-point function, which has no mass
  std::vector<std::pair<std::string, std::size_t>> places;  // channels, and HadronMeasurement::at(place)

  const std::size_t* place(const std::string& channel) const {
    for (const auto& [name, at] : places)
      if (name == channel) return &at;
    return nullptr;
  }
};

struct HadronJob {
  measure::HadronSelection selection;

  std::vector<std::string> columns() const;
  // Cells are empty without a measurement.
  std::vector<io::CsvCell> cells(const std::optional<measure::HadronMeasurement>& m) const;

  // In the order of the table's rows.
  std::vector<HadronBlock> blocks() const;
  // The name of the column that says which quarks: "kappa" or "quarks".
  std::string quarks_column() const;

  // Of the table of hadrons; `number` is the name of the column that numbers its rows.
  std::vector<std::string> table_columns(const std::string& number) const;
  std::vector<std::vector<io::CsvCell>> table_rows(std::int64_t number, const measure::HadronMeasurement& m) const;

  // Of one configuration.
  std::size_t table_row_count(int times) const;

  // Likewise of three-point functions through fixed sinks.
  static std::vector<std::string> three_point_columns(const std::string& number);
  std::vector<std::vector<io::CsvCell>> three_point_rows(std::int64_t number,
                                                         const measure::HadronMeasurement& m) const;
  std::size_t three_point_row_count(int times) const;

  bool is_periodic() const { return selection.quark.boundary.is_periodic(); }
  // At so many times, counted from the source, a lattice with `times` time slices has slices with quarks after every
  // source; of a periodic one all.
  int times_after_sources(int times) const;
  // measure::sources_at() for such a lattice.
  std::vector<std::size_t> sources_at(int t, int times) const;

  // The different n^2, in order.
  std::vector<std::int64_t> momenta_squared() const;

  // Of the correlators on a lattice of this size.
  CorrelatorLayout layout(const Coordinate& size) const;
};

// Nothing if the input does not ask for hadrons.
std::optional<HadronJob> hadron_job(const MeasureSection& section);
// A warning if smearing by width takes so few steps that modes grow.
void warn_of_width(const std::optional<HadronJob>& job);

std::string sink_name(measure::QuarkSink sink);

}  // namespace trellis::app
