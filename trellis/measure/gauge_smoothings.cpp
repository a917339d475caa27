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

namespace {

// 3: links in space alone, within their time slice.
const Smoothing::Option dimensions{"dimensions", 4, 3, 4, true};

}  // namespace

Smoothing ape_smoothing() {
  return smoothing({.name = "ape",
                    .title = "charge, APE",
                    .what = "charge along APE smearing",
                    .weight = {{"alpha", 0.5, 1}},
                    .options = {dimensions}},
                   [](const SmoothingValues& values, int steps, const auto& links, const gauge::Boundary& boundary) {
                     links.copy_from(gauge::ape_smeared({.dimensions = int(values.options.at("dimensions")),
                                                         .alpha = values.weight,
                                                         .levels = steps,
                                                         .boundary = boundary},
                                                        links));
                   });
}

Smoothing hyp_smoothing() {
  return smoothing(
      {.name = "hyp",
       .title = "charge, HYP",
       .what = "charge along HYP smearing",
       .options = {{"alpha1", 0.75, 0, 1}, {"alpha2", 0.6, 0, 1}, {"alpha3", 0.3, 0, 1}, dimensions}},
      [](const SmoothingValues& values, int steps, const auto& links, const gauge::Boundary& boundary) {
        const auto option = [&](const char* key) { return values.options.at(key); };
        links.copy_from(gauge::hyp_smeared({.dimensions = int(option("dimensions")),
                                            .alpha = {option("alpha1"), option("alpha2"), option("alpha3")},
                                            .levels = steps,
                                            .boundary = boundary},
                                           links));
      });
}

}  // namespace trellis::measure
