// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gauge_observables.hpp"

#include <algorithm>

#include "trellis/core/base/named.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/clover.hpp"

namespace trellis::measure {

namespace {

// Charges after 0, every, ... steps on u, which is smoothed.
template <int W>
std::vector<SmoothedCharge> smoothed_charges(const SmoothingSteps& p, const GaugeField<double, W>& u,
                                             const gauge::Boundary& boundary) {
  const auto& smoothing = named("smoothing", smoothings(), p.name);
  if (p.steps < 0) fail_input("{}: {} steps; there cannot be fewer than 0", p.name, p.steps);
  if (p.every < 1) fail_input("{}: a measurement every {} steps; it must be at least 1", p.name, p.every);
  const SmoothingValues values{p.weight, smoothing.complete(p.options)};
  std::vector<SmoothedCharge> found;
  for (int at = 0;;) {
    const Configuration<W> smoothed(u, boundary);
    found.push_back({at, smoothed.clover().topological_charge, gauge::plaquette(boundary, u).average});
    if (at == p.steps) return found;
    const int more = std::min(p.every, p.steps - at);
    smoothing.smoothen(values, more, smoothed);
    at += more;
  }
}

}  // namespace

void require_known(const GaugeSelection& selection, const gauge::Boundary& boundary, const std::string& what) {
  if (boundary.is_periodic()) return;
  for (const auto& observable : selection.observables)
    if (!observable.knows_boundaries && !observable.every_trajectory)
      fail_input("{}, which the observable \"{}\" does not know", what, observable.name);
  for (const auto& steps : selection.smoothings)
    if (!named("smoothing", smoothings(), steps.name).knows_boundaries)
      fail_input("{}, which [measure.{}] does not know", what, steps.name);
}

template <int W>
GaugeMeasurement measure_gauge(const GaugeSelection& selection, const GaugeField<double, W>& u,
                               const gauge::Boundary& boundary) {
  GaugeMeasurement m;
  m.plaquette = gauge::plaquette(boundary, u);
  m.rectangle = gauge::rectangle(boundary, u);
  const Configuration<W> configuration(u, boundary);
  double every_trajectory = 0;
  for (const auto& observable : selection.observables)
    m.observables.emplace(observable.name,
                          timed(observable.every_trajectory ? every_trajectory : m.seconds["observables"],
                                [&] { return measure_observable(observable, configuration); }));
  if (selection.flow) {
    auto parameters = *selection.flow;
    parameters.boundary = boundary;
    m.flow = timed(m.seconds["flow"], [&] { return gauge::flow(parameters, u.clone()); });
    m.t0 = gauge::flow_scale_t0(m.flow);
    m.w0 = gauge::flow_scale_w0(m.flow);
  }
  for (const auto& steps : selection.smoothings)
    m.smoothed.emplace(steps.name,
                       timed(m.seconds[steps.name], [&] { return smoothed_charges(steps, u.clone(), boundary); }));
  if (selection.wilson_loops)
    m.wilson_loops =
        timed(m.seconds["wilson_loops"], [&] { return wilson_loops(*selection.wilson_loops, u, boundary); });
  if (selection.glueballs)
    m.glueballs = timed(m.seconds["glueballs"], [&] { return glueball_operators(*selection.glueballs, u, boundary); });
  return m;
}

#define TRELLIS_INSTANTIATE(W)                                                                    \
  template GaugeMeasurement measure_gauge<W>(const GaugeSelection&, const GaugeField<double, W>&, \
                                             const gauge::Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
