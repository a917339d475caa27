// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gauge_observables.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/clover.hpp"
#include "trellis/gauge/cooling.hpp"
#include "trellis/gauge/stout.hpp"

namespace trellis::measure {

namespace {

// Charges of u at 0, every, ... steps; smoothen(n, u) takes n steps in place.
template <class T, int W, class F>
std::vector<SmoothedCharge> charges(const char* name, int steps, int every, const GaugeField<T, W>& u,
                                    const F& smoothen) {
  if (steps < 0) fail_input("{}: {} steps; there cannot be fewer than 0", name, steps);
  if (every < 1) fail_input("{}: a measurement every {} steps; it must be at least 1", name, every);
  std::vector<SmoothedCharge> found;
  for (int at = 0;;) {
    found.push_back({at, gauge::clover_observables(u).topological_charge, gauge::plaquette(u).average});
    if (at == steps) return found;
    const int more = std::min(every, steps - at);
    smoothen(more, u);
    at += more;
  }
}

}  // namespace

template <int W>
GaugeMeasurement measure_gauge(const GaugeSelection& selection, const GaugeField<double, W>& u) {
  GaugeMeasurement m;
  m.plaquette = gauge::plaquette(u);
  m.rectangle = gauge::rectangle(u);
  const Configuration<W> configuration(u);
  for (const auto& observable : selection.observables)
    m.observables.emplace(observable.name, measure_observable(observable, configuration));
  if (selection.flow) {
    m.flow = gauge::flow(*selection.flow, u.clone());
    m.t0 = gauge::flow_scale_t0(m.flow);
    m.w0 = gauge::flow_scale_w0(m.flow);
  }
  if (selection.cooling)
    m.cooling = charges("cooling", selection.cooling->steps, selection.cooling->every, u.clone(),
                        [](int n, const GaugeField<double, W>& v) {
                          for (int k = 0; k < n; ++k) gauge::cooling_step(v);
                        });
  if (selection.stout) {
    const double rho = selection.stout->rho;
    m.stout = charges("stout smearing", selection.stout->steps, selection.stout->every, u.clone(),
                      [rho](int n, const GaugeField<double, W>& v) { gauge::stout_steps(rho, n, v); });
  }
  return m;
}

#define TRELLIS_INSTANTIATE(W) \
  template GaugeMeasurement measure_gauge<W>(const GaugeSelection&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
