// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What [measure] asks for, as a selection of what to measure and as columns of a table. t0 is t0 / a^2, w0 is w0 / a.

#include <functional>

#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/measure/gauge_observables.hpp"

namespace trellis::app {

struct Measurement {
  measure::GaugeMeasurement gauge;
  std::optional<measure::QuarkMeasurement> quarks = std::nullopt;
  std::optional<measure::HadronMeasurement> hadrons = std::nullopt;
};

// The columns: plaquette, plaquette_spatial, plaquette_temporal, rectangle, and of what is not nothing here: those of
// scalar observables (measure/observable.hpp); t0, w0; charge_cooling, charge_stout and so on (after the last
// step; measure/smoothing.hpp); those of quarks and hadrons (quark_measurement.hpp, hadron_measurement.hpp).
struct ObservableColumns {
  std::vector<measure::Observable> observables = {};
  bool flow = false;
  std::vector<measure::Smoothing> smoothings = {};
  std::optional<QuarkJob> quarks = std::nullopt;
  std::optional<HadronJob> hadrons = std::nullopt;

  std::vector<std::string> loops() const;  // to the last observable that a run measures after every trajectory
  std::vector<std::string> others() const;
  // What was not measured stays empty.
  std::vector<io::CsvCell> loops(const measure::GaugeMeasurement& m) const;
  std::vector<io::CsvCell> others(const Measurement& m) const;
};

// on_the_fly: with the observables that a run measures after every trajectory.
ObservableColumns columns_of(const MeasureSection& section, const QuarkInput& quarks, bool on_the_fly);

// Error where two columns of a table have one name: an observable that a program added may be called like one of ours.
void require_different(const std::vector<std::string>& columns);

// Of what these columns hold, that which is due: due(every) says so.
measure::GaugeSelection gauge_selection(const ObservableColumns& columns, const MeasureSection& section,
                                        const std::function<bool(std::int64_t every)>& due);

// "observables:" and a line of help for each.
std::string observables_help();

gauge::FlowParameters flow_parameters(const FlowInput& flow);

}  // namespace trellis::app
