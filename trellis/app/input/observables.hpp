// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The observables of [measure]: which to measure, and the table columns they fill. t0 is t0 / a^2, w0 is w0 / a.

#include <functional>
#include <map>
#include <string>

#include "trellis/app/results/eigenvalue_measurement.hpp"
#include "trellis/app/results/fixed_configuration.hpp"
#include "trellis/app/results/gauge/loop_tables.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/results/staggered_hadron_measurement.hpp"
#include "trellis/measure/gauge_observables.hpp"

namespace trellis::app {

struct Measurement {
  measure::GaugeMeasurement gauge;
  std::optional<measure::QuarkMeasurement> quarks = std::nullopt;
  std::optional<measure::HadronMeasurement> hadrons = std::nullopt;
  std::optional<measure::StaggeredHadronMeasurement> staggered_hadrons = std::nullopt;
  std::optional<gauge::GaugeFixingReport> gauge_fixing = std::nullopt;
  std::optional<EigenvalueMeasurement> eigenvalues = std::nullopt;
  // What took how long: as in `gauge`, and "quarks", "hadrons", "staggered_hadrons". Only measure_trajectory() fills
  // it.
  std::map<std::string, double> seconds = {};
};

// The columns: plaquette, plaquette_spatial, plaquette_temporal, rectangle, and those of the selections below that are
// not empty: scalar observables (measure/observable.hpp); t0, w0; charge_cooling, charge_stout and so on (after the
// last step; measure/smoothing.hpp); quarks and hadrons (quark_measurement.hpp, hadron_measurement.hpp,
// staggered_hadron_measurement.hpp); of files also gauge fixing and eigenvalues (fixed_configuration.hpp,
// eigenvalue_measurement.hpp).
struct ObservableColumns {
  std::vector<measure::Observable> observables = {};
  bool flow = false;
  bool slices = false;  // of the flow, in a table of their own
  std::vector<measure::Smoothing> smoothings = {};
  // These have tables of their own, and no columns in this one.
  std::optional<measure::WilsonLoopSelection> wilson_loops = std::nullopt;
  std::optional<measure::GlueballSelection> glueballs = std::nullopt;
  std::optional<QuarkJob> quarks = std::nullopt;
  std::optional<HadronJob> hadrons = std::nullopt;
  std::optional<StaggeredHadronJob> staggered_hadrons = std::nullopt;
  bool gauge_fixing = false;
  std::optional<EigenvalueJob> eigenvalues = std::nullopt;

  std::vector<std::string> loops() const;  // up to the last observable measured after every trajectory
  std::vector<std::string> others() const;
  // Cells that were not measured stay empty.
  std::vector<io::CsvCell> loops(const measure::GaugeMeasurement& m) const;
  std::vector<io::CsvCell> others(const Measurement& m) const;
};

// on_the_fly: includes the observables that a run measures after every trajectory.
ObservableColumns columns_of(const MeasureSection& section, const QuarkInput& quarks, bool on_the_fly);
// Those of a run, with what its action needs: topological_potential, topological_potential_charge.
ObservableColumns columns_of(const RunInput& input);
// Those of `trellis measure`.
ObservableColumns columns_of(const MeasureInput& input);

// InputError if what is measured does not fit on a lattice of this size, with this boundary in time.
void require_valid(const ObservableColumns& columns, const Coordinate& size, const gauge::Boundary& boundary);

// Error if two columns of a table share a name: a program may add an observable that is called like one of ours.
void require_different(const std::vector<std::string>& columns);

// The part of these columns that is due, as due(every) says.
measure::GaugeSelection gauge_selection(const ObservableColumns& columns, const MeasureSection& section,
                                        const std::function<bool(std::int64_t every)>& due);

// May be named in [measure] too.
inline const std::vector<std::string> always_measured{"plaquette", "rectangle"};

// "observables:" and one line of help for each.
std::string observables_help();

gauge::FlowParameters flow_parameters(const FlowInput& flow);

}  // namespace trellis::app
