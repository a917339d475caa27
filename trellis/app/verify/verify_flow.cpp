// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "trellis/app/input/observables.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_loops.hpp"
#include "trellis/app/verify/verify_measurements.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::app {

template <int W>
Outcome compare_flow_step(const GaugeField<double, W>& flowed, const NaiveLinks& u, double c1, double step,
                          const gauge::Boundary& boundary) {
  const auto expected = gauge_field<W>(naive_flow_step(u, c1, step, boundary), flowed.lattice());
  return at_most(hmc::largest_difference(flowed, expected), flow_limit(c1, step));
}

template <int W>
void check_flow(const VerifyCase<W>& c, VerifyReport& report) {
  if (!c.input.measure.flow) return;
  const auto flow = flow_parameters(*c.input.measure.flow);
  // One step of the third-order integrator, as long as the input's.
  const gauge::FlowParameters one_step{.c1 = flow.c1,
                                       .step = flow.step,
                                       .time_max = flow.step,
                                       .measure_every = flow.step,
                                       .slices = flow.slices,
                                       .boundary = c.input.boundary};
  report.section("Gradient flow: compared with naive loops");
  const auto u = naive_links(c.u);
  const auto slices = naive_slices(u, one_step.boundary);
  const auto mean = naive_mean(slices, one_step.boundary);
  const auto flowed = c.u.clone();
  std::vector<gauge::FlowPoint> points;
  report.check(fmt::format("links after a step of {}", flow.step), [&] {
    points = gauge::flow(one_step, flowed);
    return compare_flow_step(flowed, u, flow.c1, flow.step, one_step.boundary);
  });
  if (points.empty()) return;
  report.check("clover energy density and topological charge of the links", [&] {
    // 100 operations for each of the products that are added up, as many as there are sites for the charge.
    const auto& start = points.front();
    if (std::isnan(mean.energy_spatial)) return for_information("no slice between boundaries");
    return at_most(std::max({std::abs(start.energy_spatial - mean.energy_spatial),
                             std::abs(start.energy_temporal - mean.energy_temporal),
                             std::abs(start.topological_charge - mean.charge) / double(u.volume())}),
                   600 * operation_rounding);
  });
  if (flow.slices)
    report.check("the same of each time slice", [&] {
      const auto& size = u.size();
      return compare_slices(points.front().slices, slices, double(size[0]) * size[1] * size[2]);
    });
  constexpr int steps = 10;
  report.check(fmt::format("the action falls in each of {} steps: largest change, relative", steps), [&] {
    const gauge::LoopWeights action = gauge::Action{1, flow.c1};
    auto tree_level = one_step.boundary;
    tree_level.c_g = 1;
    auto without_slices = one_step;
    without_slices.slices = false;
    const auto before = flowed.clone();
    double largest = -HUGE_VAL;
    for (int n = 0; n < steps; ++n) {
      before.copy_from(flowed);
      const double s = gauge::action(action, tree_level, before);
      gauge::flow(without_slices, flowed);
      largest = std::max(largest, gauge::action_difference(action, tree_level, flowed, before) / s);
    }
    return with_note(
        {fmt::format("{:.1e}", largest), "< 0", largest < 0},
        fmt::format("measure.flow.step = {} is too large for this action: the flow is unstable", flow.step));
  });
}

#define TRELLIS_INSTANTIATE(W)                                                                           \
  template Outcome compare_flow_step<W>(const GaugeField<double, W>&, const NaiveLinks&, double, double, \
                                        const gauge::Boundary&);                                         \
  template void check_flow<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
