// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_gauge_fixing.hpp"

#include "trellis/app/input/input_sections.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"

namespace trellis::app {

GaugeFixingInput read_gauge_fixing(const Table& table) {
  GaugeFixingInput fixing;
  fixing.gauge = table.choice("gauge", names_of(gauge::gauges));
  fixing.residual = table.real("residual", {.min = 1e-28, .max = 1e-2}, fixing.residual);
  fixing.overrelaxation = table.real("overrelaxation", {.min = 1, .max = 1.99}, fixing.overrelaxation);
  fixing.max_iterations = table.integer("max_iterations", integers_from_1, fixing.max_iterations);
  fixing.save = table.flag("save", fixing.save);
  return fixing;
}

}  // namespace trellis::app
