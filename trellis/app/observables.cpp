// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/observables.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

io::CsvCell cell(const std::optional<double>& value) { return value ? io::CsvCell(*value) : io::CsvCell(); }

}  // namespace

std::vector<std::string> ObservableColumns::loops() const {
  std::vector<std::string> names{"plaquette", "plaquette_spatial", "plaquette_temporal", "rectangle"};
  if (polyakov) names.insert(names.end(), {"polyakov_re", "polyakov_im"});
  return names;
}

std::vector<std::string> ObservableColumns::others() const {
  std::vector<std::string> names;
  if (topological_charge) names.emplace_back("topological_charge");
  if (energy) names.insert(names.end(), {"energy", "energy_spatial", "energy_temporal"});
  if (flow) names.insert(names.end(), {"t0", "w0"});
  return names;
}

std::vector<io::CsvCell> ObservableColumns::loops(const measure::GaugeMeasurement& m) const {
  std::vector<io::CsvCell> cells{m.plaquette.average, m.plaquette.spatial, m.plaquette.temporal, m.rectangle};
  if (polyakov) {
    cells.push_back(m.polyakov ? io::CsvCell(m.polyakov->real()) : io::CsvCell());
    cells.push_back(m.polyakov ? io::CsvCell(m.polyakov->imag()) : io::CsvCell());
  }
  return cells;
}

std::vector<io::CsvCell> ObservableColumns::others(const measure::GaugeMeasurement& m) const {
  std::vector<io::CsvCell> cells;
  if (topological_charge) cells.push_back(cell(m.topological_charge));
  if (energy) {
    for (const auto part : {&gauge::CloverObservables::energy_density, &gauge::CloverObservables::energy_spatial,
                            &gauge::CloverObservables::energy_temporal})
      cells.push_back(m.energy ? io::CsvCell((*m.energy).*part) : io::CsvCell());
  }
  if (flow) {
    cells.push_back(cell(m.t0));
    cells.push_back(cell(m.w0));
  }
  return cells;
}

ObservableColumns columns_of(const MeasureSection& section) {
  if (section.cooling) fail_input("measure.cooling: cannot be measured yet");
  if (section.stout) fail_input("measure.stout: cannot be measured yet");
  if (section.quarks) fail_input("measure.quarks: cannot be measured yet");
  const auto asked = [&](const char* name) {
    return std::find(section.observables.begin(), section.observables.end(), name) != section.observables.end();
  };
  return {asked("polyakov"), asked("topological_charge"), asked("energy"), section.flow.has_value()};
}

gauge::FlowParameters flow_parameters(const FlowInput& flow) {
  return {flow.c1, flow.step, flow.time_max, flow.tolerance, flow.time_interval};
}

}  // namespace trellis::app
