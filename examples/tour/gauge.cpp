// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Gauge fields: loops, actions, the force against a numerical derivative, heatbath and overrelaxation, gauge fixing,
// cooling.
#include <array>

#include "examples/tour/slopes.hpp"
#include "examples/tour/tour.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/action_names.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"
#include "trellis/gauge/fixing/gauge_transformation.hpp"
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};

template <int W>
void loops(const GaugeField<double, W>& u) {
  const auto cold = GaugeField<double, W>::unit(u.lattice());
  tour::expect(gauge::plaquette(cold).average == 1 && gauge::rectangle(cold) == 1, "loops of unit links are 1");
  tour::expect(gauge::polyakov_loop(cold) == 1.0 && gauge::link_trace(cold) == 1, "and so are these");
  gauge::hot_start({.seed = 1, .purpose = gauge::hot_start_purpose}, u);
  const auto transformed = u.clone();
  gauge::random_gauge_transformation({.seed = 1, .purpose = gauge::gauge_transformation_purpose}, transformed);
  tour::expect_near(gauge::plaquette(transformed).average, gauge::plaquette(u).average, 1e-15, "gauge invariance");
  tour::expect(gauge::unitarity_violation(transformed) < 1e-13, "links stay in SU(3)");
  tour::expect(std::abs(gauge::link_trace(transformed) - gauge::link_trace(u)) > 1e-3,
               "but the trace of a link does change");
}

template <int W>
void force(const gauge::NamedAction& named, const GaugeField<double, W>& u) {
  const gauge::Action action{.beta = 5.7, .c1 = named.c1};
  fmt::print("the {} action: S = {:.4f}\n", named.title, gauge::action(action, u));
  tour::expect_force_of(
      "its force", u,
      // Differences are taken site by site before summing, so no digits are lost to the size of S.
      [&](const auto& after, const auto& before) { return gauge::action_difference(action, after, before); },
      [&](const auto& p) { gauge::add_force(action, u, 1.0, p); });
}

// The Wilson action at beta = 5.7, starting from random links: 20 sweeps are enough on such a small lattice.
template <int W>
void heatbath(const GaugeField<double, W>& u) {
  const gauge::HeatbathParameters parameters{.action = gauge::Action{.beta = 5.7}, .overrelaxation_steps = 2};
  for (std::uint32_t sweep = 0; sweep < 20; ++sweep)  // the sweep number selects the random numbers
    gauge::heatbath_update(parameters, {.seed = 6, .trajectory = sweep, .purpose = gauge::heatbath_purpose}, u);
  gauge::reunitarise(u);
  fmt::print("plaquette after 20 sweeps at beta = 5.7: {:.4f}\n", gauge::plaquette(u).average);
  tour::expect_near(gauge::plaquette(u).average, 0.55, 0.03, "the plaquette of quenched QCD at beta = 5.7");

  const auto before = u.clone();
  gauge::overrelaxation_sweep(parameters.action, u);
  tour::expect_near(gauge::action_difference(parameters.action, u, before), 0, 1e-9,
                    "overrelaxation preserves the action");
  tour::expect(u.link({0, 0, 0, 0}, 0) != before.link({0, 0, 0, 0}, 0), "but moves the links");

  for (int step = 0; step < 10; ++step) gauge::cooling_step(u);
  fmt::print("after ten cooling steps: {:.6f}\n", gauge::plaquette(u).average);
  tour::expect(gauge::plaquette(u).average > 0.98, "cooling removes most of the action");
}

// Landau gauge, then one more step by hand, which leaves the links where they are.
template <int W>
void gauge_fixing(const GaugeField<double, W>& u) {
  const double plaquette = gauge::plaquette(u).average;
  const auto report = gauge::fix_gauge({.gauge = gauge::Gauge::landau, .residual = 1e-14}, u);
  fmt::print("Landau gauge: F = {:.6f}, theta = {:.1e} after {} iterations\n", report.reached.functional,
             report.reached.residual, report.iterations);
  tour::expect_near(gauge::plaquette(u).average, plaquette, 1e-14, "the plaquette is gauge invariant");
  tour::expect_near(report.reached.functional, gauge::link_trace(u), 1e-14, "F is the average link trace");

  const gauge::GaugeTransformation<double, W> g(u.lattice());
  gauge::relax_gauge(gauge::Gauge::landau, 1.0, u, g);
  g.exchange();
  const auto before = gauge::gauge_condition(gauge::Gauge::landau, u),
             after = gauge::gauge_condition(gauge::Gauge::landau, g, u);
  tour::expect_near(after.functional, before.functional, 1e-12, "F is at its maximum");
  gauge::transform_links(g, u);
  tour::expect_near(gauge::gauge_condition(gauge::Gauge::landau, u).residual, after.residual, 1e-20,
                    "the transformed links have the residual of the transformation");
}

}  // namespace

int main() {
  return tour::run([] {
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      const GaugeField<double, W> u(Lattice(size, W));
      loops(u);
      for (const gauge::NamedAction& named : gauge::named_actions()) force(named, u);
      heatbath(u);
      gauge_fixing(u);
    });
  });
}
