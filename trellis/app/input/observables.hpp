// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What [measure] asks for, as a selection of what to measure and as columns of a table. t0 is t0 / a^2, w0 is w0 / a.

#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/measure/gauge_observables.hpp"

namespace trellis::app {

struct Measurement {
  measure::GaugeMeasurement gauge;
  std::optional<measure::QuarkMeasurement> quarks = std::nullopt;
  std::optional<measure::HadronMeasurement> hadrons = std::nullopt;
};

// The columns: plaquette, plaquette_spatial, plaquette_temporal, rectangle, and of what is not nothing here:
// polyakov_re, polyakov_im; topological_charge; energy, energy_spatial, energy_temporal; t0, w0; charge_cooling,
// charge_stout (after the last step); those of quarks and hadrons (quark_measurement.hpp,
// hadron_measurement.hpp).
struct ObservableColumns {
  bool polyakov = false, topological_charge = false, energy = false;
  bool flow = false, cooling = false, stout = false;
  std::optional<QuarkJob> quarks = std::nullopt;
  std::optional<HadronJob> hadrons = std::nullopt;

  std::vector<std::string> loops() const;  // up to polyakov_im
  std::vector<std::string> others() const;
  // What was not measured stays empty.
  std::vector<io::CsvCell> loops(const measure::GaugeMeasurement& m) const;
  std::vector<io::CsvCell> others(const Measurement& m) const;
};

ObservableColumns columns_of(const MeasureSection& section, const QuarkInput& quarks);

gauge::FlowParameters flow_parameters(const FlowInput& flow);
measure::CoolingSteps cooling_steps(const SmoothingInput& cooling);
measure::StoutSteps stout_steps(const SmoothingInput& stout);

}  // namespace trellis::app
