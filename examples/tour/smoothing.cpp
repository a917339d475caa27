// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Smoother links: the gradient flow and its energy density, stout smearing as an Euler step of the flow, its force, and
// smearing in space only.
#include "examples/tour/slopes.hpp"
#include "examples/tour/tour.hpp"
#include "examples/tour/warm_links.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/clover.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"
#include "trellis/gauge/smearing/stout.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};

// Links near 1, as on a fine lattice.
template <int W>
GaugeField<double, W> warm_links() {
  const auto u = tour::warm_links<W>(Lattice(size, W), 0.3, 8);
  return u;
}

template <int W>
void flow(const GaugeField<double, W>& u) {
  const auto v = u.clone();  // the flow moves links in place
  const auto points = gauge::flow({.step = 0.02, .time_max = 0.4, .measure_every = 0.1}, v);
  for (const gauge::FlowPoint& at : points) {
    fmt::print("t = {:.1f}: t^2 E = {:.5f}, plaquette {:.6f}, charge {:+.5f}\n", at.time,
               at.time * at.time * at.energy_clover, at.plaquette, at.topological_charge);
    if (at.time > 0) tour::expect(at.energy_clover < points.front().energy_clover, "the flow lowers the action");
  }
  const auto now = gauge::clover_observables(v);
  tour::expect_near(now.energy_density, points.back().energy_clover, 1e-14, "E from the clover");
  tour::expect_near(now.energy_spatial + now.energy_temporal, now.energy_density, 1e-14,
                    "E is the sum of its magnetic and electric parts");
  tour::expect(!gauge::flow_scale_t0(points), "t0 is not reached because t^2 E stays below 0.3");

  // With a tolerance, the next step size follows from the difference between the third- and second-order results.
  const auto adaptive = u.clone();
  const auto by_tolerance = gauge::flow({.time_max = 0.4, .tolerance = 1e-5, .measure_every = 0.4}, adaptive);
  tour::expect_near(by_tolerance.back().energy_clover, points.back().energy_clover, 1e-4,
                    "both methods end at the same E");
}

template <int W>
void stout(const GaugeField<double, W>& u) {
  // One level of smearing with a small rho is an Euler step of the flow, and flow_step is of third order: the two
  // differ by O(rho^2).
  constexpr double rho = 0.01;
  const auto smeared = u.clone(), flowed = u.clone();
  gauge::stout_steps(rho, 1, smeared);
  gauge::flow_step(0, rho, flowed);
  const double start = gauge::plaquette(u).average, moved = gauge::plaquette(flowed).average - start;
  tour::expect_near(gauge::plaquette(smeared).average - start, moved, 0.1 * moved,
                    "stout smearing is one Euler step of the flow");

  const auto in_space = gauge::spatial_stout(0.1, 2, u);
  tour::expect(in_space.link({1, 2, 3, 0}, 3) == u.link({1, 2, 3, 0}, 3), "links in time do not change");
  tour::expect(gauge::plaquette(in_space).spatial > gauge::plaquette(u).spatial, "spatial planes become smoother");
}

// The force of an action that depends on smeared links, S = sum over all links of Re tr U': dS = sum Re tr(D dU') with
// D = 1.
template <int W>
void force_through_smearing(const GaugeField<double, W>& u) {
  const gauge::StoutLinks<double, W> stout({.rho = 0.12, .levels = 2}, u.lattice());
  const auto energy = [&](const GaugeField<double, W>& links) {
    return 12 * double(links.lattice().volume()) * gauge::link_trace(stout.smear(links));
  };
  stout.smear(u);  // add_force works back through the most recent smear()
  const auto derivative = GaugeField<double, W>::unit(u.lattice());
  tour::expect_force_of(
      "two levels of smearing", u,
      [&](const auto& after, const auto& before) { return energy(after) - energy(before); },
      [&](const auto& p) { stout.add_force(derivative, 1.0, p); });
}

}  // namespace

int main() {
  return tour::run([] {
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      const auto u = warm_links<W>();
      flow(u);
      stout(u);
      force_through_smearing(u);
    });
  });
}
