// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// [chain.stop_when]: how precise a result must be for the run to end.
#include <algorithm>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/app/input/observables.hpp"

namespace trellis::app {

StopWhenInput read_stop_when(const Table& table, const MeasureSection& measure, const QuarkInput& quarks) {
  const auto columns = columns_of(measure, quarks, true);
  auto names = columns.loops();
  for (const auto& name : columns.others())
    if (!name.starts_with("hadron_") && !name.starts_with("staggered_hadron_")) names.push_back(name);  // about solvers
  StopWhenInput stop;
  stop.observable = table.choice("observable", names);
  stop.error_below = table.real("error_below", {.min = 0, .max = 1e300, .open = true});
  // With fewer, the error itself is too uncertain to end a run.
  stop.independent_measurements = table.integer("independent_measurements", {.min = 20, .max = 1000000000}, 50);
  table.finish_section();
  return stop;
}

}  // namespace trellis::app
