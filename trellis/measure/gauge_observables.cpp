// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gauge_observables.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/clover.hpp"

namespace trellis::measure {

template <class T, int W>
GaugeMeasurement measure_gauge(const GaugeSelection& selection, const GaugeField<T, W>& u) {
  GaugeMeasurement m;
  m.plaquette = gauge::plaquette(u);
  m.rectangle = gauge::rectangle(u);
  if (selection.polyakov) m.polyakov = gauge::polyakov_loop(u);
  if (selection.topological_charge || selection.energy) {
    const auto clover = gauge::clover_observables(u);
    if (selection.topological_charge) m.topological_charge = clover.topological_charge;
    if (selection.energy) m.energy = clover;
  }
  if (selection.flow) {
    m.flow = gauge::flow(*selection.flow, u.clone());
    m.t0 = gauge::flow_scale_t0(m.flow);
    m.w0 = gauge::flow_scale_w0(m.flow);
  }
  return m;
}

#define TRELLIS_INSTANTIATE(W)                                                                           \
  template GaugeMeasurement measure_gauge<float, W>(const GaugeSelection&, const GaugeField<float, W>&); \
  template GaugeMeasurement measure_gauge<double, W>(const GaugeSelection&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::measure
