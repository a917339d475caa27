// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Measurements on a configuration: named observables (including one of your own), the topological charge along the flow
// and along smoothings, quark observables from noise vectors, and eigenvalues.
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "examples/tour/tour.hpp"
#include "examples/tour/warm_links.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/measure/gauge_observables.hpp"
#include "trellis/measure/observable.hpp"
#include "trellis/measure/quark_observables.hpp"
#include "trellis/measure/smoothing.hpp"
#include "trellis/measure/staggered_eigenvalues.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};

template <int W>
void gauge_observables(const GaugeField<double, W>& u) {
  measure::GaugeSelection selection;
  selection.observables = measure::observables_named({"rectangle_ratio", "topological_charge"});
  selection.flow = gauge::FlowParameters{.step = 0.05, .time_max = 0.2, .measure_every = 0.1};
  for (const measure::Smoothing& smoothing : measure::smoothings())  // cooling, and the smoothings with a parameter
    selection.smoothings.push_back(
        {.name = smoothing.name, .weight = smoothing.weight ? smoothing.weight->value : 0, .steps = 4, .every = 2});
  const measure::GaugeMeasurement found = measure::measure_gauge(selection, u);

  const double charge = found.observables.at("topological_charge")[0];
  fmt::print("plaquette {:.6f}, rectangle / plaquette^2 {:.6f}, charge {:+.6f}\n", found.plaquette.average,
             found.observables.at("rectangle_ratio")[0], charge);
  tour::expect_near(found.flow.at(0).topological_charge, charge, 1e-14, "the flow starts from the unsmoothed links");
  for (const auto& [name, points] : found.smoothed) {
    fmt::print("{:8}", name);
    for (const auto& at : points) fmt::print("  {} steps: plaquette {:.4f}", at.steps, at.plaquette);
    fmt::print("\n");
    tour::expect(points.size() == 3 && points.back().plaquette > points.front().plaquette, "the links become smoother");
  }
}

// On unit links the condensate is known: <psi-bar psi> = (N_t / 4) (3 / V) sum_p m / (m^2 + sum_mu sin^2 p_mu).
double free_condensate(double mass, double tastes) {
  double sum = 0;
  for (int n = 0; n < 4 * 4 * 4 * 4; ++n) {
    double sines = 0;
    for (int mu = 0, rest = n; mu < 4; ++mu, rest /= 4)  // antiperiodic in time: half-integer momenta
      sines += std::pow(std::sin(2 * std::numbers::pi * (rest % 4 + (mu == 3 ? 0.5 : 0)) / 4), 2);
    sum += mass / (mass * mass + sines);
  }
  return tastes / 4 * 3 / 256 * sum;
}

template <int W>
void quarks(const Lattice& lattice) {
  constexpr double mass = 0.5;
  const measure::QuarkSelection selection{.susceptibilities = true, .noise_vectors = 16};
  const auto found = measure::measure_quarks(selection, {{.name = "light", .mass = mass, .tastes = 2}}, {}, /*seed*/ 4,
                                             /*trajectory*/ 0, GaugeField<double, W>::unit(lattice));
  const measure::FlavourMeasurement& light = found.flavours[0];
  double squares = 0;
  for (const auto& estimate : light.estimates) squares += std::norm(estimate.condensate - light.mean.condensate);
  const double error = std::sqrt(squares / (16 * 15)), exact = free_condensate(mass, 2);
  fmt::print("condensate {:.4f} +- {:.4f} (exactly {:.4f}), connected susceptibility {:.4f}\n",
             light.mean.condensate.real(), error, exact, light.connected);
  tour::expect_near(light.mean.condensate.real(), exact, 5 * error, "the condensate of free quarks");
  tour::expect(light.mean.residual < 1e-9, "the true residual of the solver is small");
}

// Of free quarks: sum_mu sin^2 p_mu, here with p = (0, 0, 0, pi / 4) and its mirror images.
template <int W>
void eigenvalues(const Lattice& lattice) {
  const auto found = measure::measure_eigenvalues({.count = 5, .tolerance = 1e-9}, {{.name = "light", .mass = 0.5}}, {},
                                                  GaugeField<double, W>::unit(lattice));
  fmt::print("lowest eigenvalue of -D_eo D_oe {:.10f}\n", found[0].values[0]);
  for (const double value : found[0].values) tour::expect_near(value, 0.5, 1e-9, "a free eigenvalue");
}

}  // namespace

int main() {
  return tour::run([] {
    // From now on it can be selected by name, like the built-in ones. (examples/own_observable adds one to `trellis`
    // itself.)
    measure::add_observable(measure::observable(
        {.name = "rectangle_ratio", .what = "rectangle over plaquette squared", .columns = {{"rectangle_ratio"}}},
        [](const auto& configuration) {
          const double plaquette = gauge::plaquette(configuration.links()).average;
          return std::vector{gauge::rectangle(configuration.links()) / (plaquette * plaquette)};
        }));
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      const Lattice lattice(size, W);
      const auto u = tour::warm_links<W>(lattice, 0.3);
      gauge_observables(u);
      quarks<W>(lattice);
      eigenvalues<W>(lattice);
    });
  });
}
