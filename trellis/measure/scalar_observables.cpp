// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The scalar observables that Trellis has; observables.cpp lists them.
#include "trellis/gauge/boundary/eta_derivative.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/measure/observable.hpp"

namespace trellis::measure {

Observable polyakov_observable() {
  return observable({.name = "polyakov",
                     .what = "average of the Polyakov loop in direction t, tr / 3",
                     .columns = {{"polyakov_re"}, {"polyakov_im"}},
                     .every_trajectory = true},
                    [](const auto& configuration) {
                      const auto loop = gauge::polyakov_loop(configuration.links());
                      return std::vector{loop.real(), loop.imag()};
                    });
}

Observable parallelogram_observable() {
  return observable({.name = "parallelogram",
                     .what = "average of Re tr / 3 over the 16 loops a b c -a -b -c of three directions per site",
                     .columns = {{"parallelogram", "parallelogram"}},
                     .knows_boundaries = true},
                    [](const auto& configuration) {
                      return std::vector{gauge::parallelogram(configuration.boundary(), configuration.links())};
                    });
}

// Inputs refuse it without a Schroedinger functional.
Observable eta_derivative_observable() {
  return observable({.name = "eta_derivative",
                     .what = "dS/d eta of a Schroedinger functional for beta = 1",
                     .columns = {{"eta_derivative", "dS/d eta / beta"}},
                     .knows_boundaries = true},
                    [](const auto& configuration) {
                      const auto& boundary = configuration.boundary();
                      const bool moves = boundary.kind == gauge::BoundaryKind::schroedinger_functional;
                      return std::vector{moves ? gauge::eta_derivative(boundary, configuration.links()) : 0};
                    });
}

Observable topological_charge_observable() {
  return observable({.name = "topological_charge",
                     .what = "topological charge by the clover, on the links as they are",
                     .columns = {{"topological_charge", "topological charge"}},
                     .knows_boundaries = true},
                    [](const auto& configuration) { return std::vector{configuration.clover().topological_charge}; });
}

Observable energy_observable() {
  return observable({.name = "energy",
                     .what = "energy density by the clover, on the links as they are, and its two parts",
                     .columns = {{"energy", "energy density", "a^-4"},
                                 {.name = "energy_spatial", .unit = "a^-4"},
                                 {.name = "energy_temporal", .unit = "a^-4"}},
                     .knows_boundaries = true},
                    [](const auto& configuration) {
                      const auto& clover = configuration.clover();
                      return std::vector{clover.energy_density, clover.energy_spatial, clover.energy_temporal};
                    });
}

}  // namespace trellis::measure
