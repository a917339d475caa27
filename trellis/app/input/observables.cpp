// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/observables.hpp"

#include <fmt/format.h>

#include <set>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

io::CsvCell cell(const std::optional<double>& value) { return value ? io::CsvCell(*value) : io::CsvCell(); }

io::CsvCell last_charge(const measure::GaugeMeasurement& m, const std::string& smoothing) {
  const auto found = m.smoothed.find(smoothing);
  return found == m.smoothed.end() ? io::CsvCell() : io::CsvCell(found->second.back().topological_charge);
}

// Columns of the observables that a run measures after every trajectory, or of all others.
void append_names(std::vector<std::string>& names, const std::vector<measure::Observable>& observables, bool every) {
  for (const auto& o : observables)
    if (o.every_trajectory == every)
      for (const auto& column : o.columns) names.push_back(column.name);
}

void append_cells(std::vector<io::CsvCell>& cells, const std::vector<measure::Observable>& observables, bool every,
                  const measure::GaugeMeasurement& m) {
  for (const auto& o : observables) {
    if (o.every_trajectory != every) continue;
    if (const auto found = m.observables.find(o.name); found != m.observables.end())
      cells.insert(cells.end(), found->second.begin(), found->second.end());
    else
      cells.resize(cells.size() + o.columns.size());
  }
}

// V(Q) and Q on the links of the potential, after every trajectory, so that its weight can be taken out of all
// averages.
measure::Observable potential_observable(const hmc::TopologicalPotential& potential) {
  return measure::observable({.name = "topological_potential",
                              .what = "potential of the topological charge",
                              .columns = {{"topological_potential", "topological potential"},
                                          {"topological_potential_charge", "topological charge of the potential"}},
                              .every_trajectory = true},
                             [potential](const auto& configuration) {
                               const auto found = hmc::charge_and_potential(potential, configuration.links());
                               return std::vector{found.potential, found.charge};
                             });
}

}  // namespace

std::vector<std::string> ObservableColumns::loops() const {
  std::vector<std::string> names{"plaquette", "plaquette_spatial", "plaquette_temporal", "rectangle"};
  append_names(names, observables, true);
  return names;
}

std::vector<std::string> ObservableColumns::others() const {
  std::vector<std::string> names;
  append_names(names, observables, false);
  if (flow) names.insert(names.end(), {"t0", "w0"});
  for (const auto& smoothing : smoothings) names.push_back("charge_" + smoothing.name);
  if (quarks) {
    const auto more = quarks->columns();
    names.insert(names.end(), more.begin(), more.end());
  }
  if (hadrons) {
    const auto more = hadrons->columns();
    names.insert(names.end(), more.begin(), more.end());
  }
  if (staggered_hadrons) {
    const auto more = staggered_hadrons->columns();
    names.insert(names.end(), more.begin(), more.end());
  }
  if (gauge_fixing) {
    const auto more = fixing_columns();
    names.insert(names.end(), more.begin(), more.end());
  }
  if (eigenvalues) {
    const auto more = eigenvalues->columns();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

std::vector<io::CsvCell> ObservableColumns::loops(const measure::GaugeMeasurement& m) const {
  std::vector<io::CsvCell> cells{m.plaquette.average, m.plaquette.spatial, m.plaquette.temporal, m.rectangle};
  append_cells(cells, observables, true, m);
  return cells;
}

std::vector<io::CsvCell> ObservableColumns::others(const Measurement& measurement) const {
  const auto& m = measurement.gauge;
  std::vector<io::CsvCell> cells;
  append_cells(cells, observables, false, m);
  if (flow) {
    cells.push_back(cell(m.t0));
    cells.push_back(cell(m.w0));
  }
  for (const auto& smoothing : smoothings) cells.push_back(last_charge(m, smoothing.name));
  if (quarks) {
    const auto more = quarks->cells(measurement.quarks);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  if (hadrons) {
    const auto more = hadrons->cells(measurement.hadrons);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  if (staggered_hadrons) {
    const auto more = staggered_hadrons->cells(measurement.staggered_hadrons);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  if (gauge_fixing) {
    const auto more = fixing_cells(measurement.gauge_fixing);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  if (eigenvalues) {
    const auto more = eigenvalues->cells(measurement.eigenvalues);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  return cells;
}

ObservableColumns columns_of(const MeasureSection& section, const QuarkInput& quarks, bool on_the_fly) {
  ObservableColumns columns{.flow = section.flow.has_value(),
                            .slices = section.flow && section.flow->slices,
                            .quarks = quark_job(section, quarks),
                            .hadrons = hadron_job(section),
                            .staggered_hadrons = staggered_hadron_job(section, quarks)};
  if (section.wilson_loops) columns.wilson_loops = wilson_loop_selection(*section.wilson_loops);
  if (section.glueballs) columns.glueballs = glueball_selection(*section.glueballs);
  for (const auto& smoothing : measure::smoothings())
    if (section.smoothings.contains(smoothing.name)) columns.smoothings.push_back(smoothing);
  auto names = section.observables;
  for (const auto& o : measure::observables())
    if (on_the_fly && o.every_trajectory) names.push_back(o.name);
  columns.observables = measure::observables_named(names);
  return columns;
}

ObservableColumns columns_of(const RunInput& input) {
  auto columns = columns_of(input.measure, input.quarks, true);
  if (input.topological_potential)
    columns.observables.push_back(potential_observable(input.topological_potential->potential(input.boundary)));
  return columns;
}

ObservableColumns columns_of(const MeasureInput& input) {
  auto columns = columns_of(input.measure, input.quarks, false);
  columns.gauge_fixing = input.gauge_fixing.has_value();
  columns.eigenvalues = eigenvalue_job(input.measure, input.quarks);
  return columns;
}

void require_valid(const ObservableColumns& columns, const Coordinate& size, const gauge::Boundary& boundary) {
  if (columns.wilson_loops) measure::require_valid(*columns.wilson_loops, size, boundary);
  if (columns.hadrons) measure::require_valid(columns.hadrons->selection, size);
  if (columns.staggered_hadrons)
    measure::require_valid(columns.staggered_hadrons->selection, columns.staggered_hadrons->flavours, size);
}

void require_different(const std::vector<std::string>& columns) {
  std::set<std::string> known;
  for (const auto& column : columns)
    if (!known.insert(column).second) fail("two columns of the table are called '{}'", column);
}

measure::GaugeSelection gauge_selection(const ObservableColumns& columns, const MeasureSection& section,
                                        const std::function<bool(std::int64_t every)>& due) {
  measure::GaugeSelection selection;
  const bool now = due(section.every);
  for (const auto& o : columns.observables)
    if (now || o.every_trajectory) selection.observables.push_back(o);
  if (!now) return selection;
  if (const auto& flow = section.flow; flow && due(flow->every)) selection.flow = flow_parameters(*flow);
  if (const auto& loops = section.wilson_loops; loops && due(loops->every))
    selection.wilson_loops = columns.wilson_loops;
  if (const auto& glueballs = section.glueballs; glueballs && due(glueballs->every))
    selection.glueballs = columns.glueballs;
  for (const auto& [name, smoothing] : section.smoothings)
    if (due(smoothing.every))
      selection.smoothings.push_back({name, smoothing.weight, static_cast<int>(smoothing.steps),
                                      static_cast<int>(smoothing.interval), smoothing.options});
  return selection;
}

std::string observables_help() {
  std::string text = "What observables in [measure] may name:\n";
  for (const auto& o : measure::observables()) {
    const auto& unit = o.columns[0].unit;
    text += fmt::format("  {:<20} {}{}\n", o.name, o.what, unit.empty() ? "" : fmt::format(" ({})", unit));
  }
  for (const auto& name : always_measured)
    text += fmt::format("  {:<20} always measured; may be named where nothing else is\n", name);
  return text;
}

gauge::FlowParameters flow_parameters(const FlowInput& flow) {
  return {.c1 = flow.c1,
          .step = flow.step,
          .time_max = flow.time_max,
          .tolerance = flow.tolerance,
          .measure_every = flow.time_interval,
          .integrator = flow.integrator,
          .slices = flow.slices};
}

}  // namespace trellis::app
