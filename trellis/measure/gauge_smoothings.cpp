// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The smoothings that Trellis has; smoothings.cpp lists them.
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::measure {

Smoothing cooling_smoothing() {
  return smoothing({.name = "cooling", .title = "charge, cooled", .what = "charge along cooling"},
                   [](double, int steps, const auto& links) {
                     for (int k = 0; k < steps; ++k) gauge::cooling_step(links);
                   });
}

Smoothing stout_smoothing() {
  return smoothing({.name = "stout", .title = "charge, stout", .what = "charge along stout smearing", .rho = 0.1},
                   [](double rho, int steps, const auto& links) { gauge::stout_steps(rho, steps, links); });
}

}  // namespace trellis::measure
