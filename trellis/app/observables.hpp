// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What [measure] asks for, as a selection for measure_gauge() and as columns of a table. t0 is t0 / a^2, w0 is w0 / a.

#include "trellis/app/input.hpp"
#include "trellis/io/csv_table.hpp"
#include "trellis/measure/gauge_observables.hpp"

namespace trellis::app {

// The columns: plaquette, plaquette_spatial, plaquette_temporal, rectangle, and of what is not nothing here:
// polyakov_re, polyakov_im; topological_charge; energy, energy_spatial, energy_temporal; t0, w0.
struct ObservableColumns {
  bool polyakov = false, topological_charge = false, energy = false;
  bool flow = false;

  std::vector<std::string> loops() const;  // up to polyakov_im
  std::vector<std::string> others() const;
  // What was not measured stays empty.
  std::vector<io::CsvCell> loops(const measure::GaugeMeasurement& m) const;
  std::vector<io::CsvCell> others(const measure::GaugeMeasurement& m) const;
};

ObservableColumns columns_of(const MeasureSection& section);

gauge::FlowParameters flow_parameters(const FlowInput& flow);

}  // namespace trellis::app
