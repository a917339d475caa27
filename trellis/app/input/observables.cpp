// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/observables.hpp"

#include <algorithm>

namespace trellis::app {
namespace {

io::CsvCell cell(const std::optional<double>& value) { return value ? io::CsvCell(*value) : io::CsvCell(); }

io::CsvCell last_charge(const std::vector<measure::SmoothedCharge>& charges) {
  return charges.empty() ? io::CsvCell() : io::CsvCell(charges.back().topological_charge);
}

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
  if (cooling) names.emplace_back("charge_cooling");
  if (stout) names.emplace_back("charge_stout");
  if (quarks) {
    const auto more = quarks->columns();
    names.insert(names.end(), more.begin(), more.end());
  }
  if (hadrons) {
    const auto more = hadrons->columns();
    names.insert(names.end(), more.begin(), more.end());
  }
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

std::vector<io::CsvCell> ObservableColumns::others(const Measurement& measurement) const {
  const auto& m = measurement.gauge;
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
  if (cooling) cells.push_back(last_charge(m.cooling));
  if (stout) cells.push_back(last_charge(m.stout));
  if (quarks) {
    const auto more = quarks->cells(measurement.quarks);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  if (hadrons) {
    const auto more = hadrons->cells(measurement.hadrons);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  return cells;
}

ObservableColumns columns_of(const MeasureSection& section, const QuarkInput& quarks) {
  const auto asked = [&](const char* name) {
    return std::find(section.observables.begin(), section.observables.end(), name) != section.observables.end();
  };
  return {asked("polyakov"),          asked("topological_charge"), asked("energy"),
          section.flow.has_value(),   section.cooling.has_value(), section.stout.has_value(),
          quark_job(section, quarks), hadron_job(section)};
}

gauge::FlowParameters flow_parameters(const FlowInput& flow) {
  return {flow.c1, flow.step, flow.time_max, flow.tolerance, flow.time_interval};
}

measure::CoolingSteps cooling_steps(const SmoothingInput& cooling) {
  return {static_cast<int>(cooling.steps), static_cast<int>(cooling.interval)};
}

measure::StoutSteps stout_steps(const SmoothingInput& stout) {
  return {stout.rho, static_cast<int>(stout.steps), static_cast<int>(stout.interval)};
}

}  // namespace trellis::app
