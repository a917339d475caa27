// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The smoothings that Trellis has; smoothings.cpp lists them.
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/smearing/projected.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::measure {

Smoothing cooling_smoothing() {
  return smoothing({.name = "cooling", .title = "charge, cooled", .what = "charge along cooling"},
                   [](double, int steps, const auto& links, const gauge::Boundary& boundary) {
                     for (int k = 0; k < steps; ++k) gauge::cooling_step(links, boundary);
                   });
}

Smoothing stout_smoothing() {
  return smoothing(
      {.name = "stout", .title = "charge, stout", .what = "charge along stout smearing", .weight = {{"rho", 0.1, 0.5}}},
      [](double rho, int steps, const auto& links, const gauge::Boundary& boundary) {
        gauge::stout_steps(rho, steps, links, boundary);
      });
}

Smoothing ape_smoothing() {
  return smoothing(
      {.name = "ape", .title = "charge, APE", .what = "charge along APE smearing", .weight = {{"alpha", 0.5, 1}}},
      [](double alpha, int steps, const auto& links, const gauge::Boundary& boundary) {
        links.copy_from(gauge::ape_smeared({.alpha = alpha, .levels = steps, .boundary = boundary}, links));
      });
}

Smoothing hyp_smoothing() {
  return smoothing({.name = "hyp", .title = "charge, HYP", .what = "charge along HYP smearing"},
                   [](double, int steps, const auto& links, const gauge::Boundary& boundary) {
                     links.copy_from(gauge::hyp_smeared({.levels = steps, .boundary = boundary}, links));
                   });
}

}  // namespace trellis::measure
