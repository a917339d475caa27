// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "trellis/app/input/observables.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_measurements.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/clover.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::app {

template <int W>
Outcome compare_flow_step(const GaugeField<double, W>& flowed, const NaiveLinks& u, double c1, double step) {
  const auto expected = gauge_field<W>(naive_flow_step(u, c1, step), flowed.lattice());
  return at_most(hmc::largest_difference(flowed, expected), flow_limit(c1, step));
}

template <int W>
void check_flow(const VerifyCase<W>& c, VerifyReport& report) {
  if (!c.input.measure.flow) return;
  const auto flow = flow_parameters(*c.input.measure.flow);
  report.section("Gradient flow: compared with naive loops");
  const auto u = naive_links(c.u);
  report.check("clover energy density and topological charge of the links", [&] {
    const auto found = gauge::clover_observables(c.u);
    const auto expected = naive_clover(u);
    // 100 operations for each of the products that are added up, as many as there are sites for the charge.
    return at_most(std::max(std::abs(found.energy_density - expected.energy),
                            std::abs(found.topological_charge - expected.charge) / double(u.volume())),
                   600 * operation_rounding);
  });
  const auto flowed = c.u.clone();
  report.check(fmt::format("links after a step of {}", flow.step), [&] {
    gauge::flow_step(flow.c1, flow.step, flowed);
    return compare_flow_step(flowed, u, flow.c1, flow.step);
  });
  constexpr int steps = 10;
  report.check(fmt::format("the action falls in each of {} steps: largest change, relative", steps), [&] {
    const gauge::Action action{1, flow.c1};
    const auto before = flowed.clone();
    double largest = -HUGE_VAL;
    for (int n = 0; n < steps; ++n) {
      before.copy_from(flowed);
      const double s = gauge::action(action, before);
      gauge::flow_step(flow.c1, flow.step, flowed);
      largest = std::max(largest, gauge::action_difference(action, flowed, before) / s);
    }
    return with_note(
        {fmt::format("{:.1e}", largest), "< 0", largest < 0},
        fmt::format("measure.flow.step = {} is too large for this action: the flow is unstable", flow.step));
  });
}

#define TRELLIS_INSTANTIATE(W)                                                                            \
  template Outcome compare_flow_step<W>(const GaugeField<double, W>&, const NaiveLinks&, double, double); \
  template void check_flow<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
