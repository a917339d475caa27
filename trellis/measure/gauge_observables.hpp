// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is measured on one gauge configuration, however it was made. The links are not changed: the flow works on a
// copy.

#include <complex>
#include <optional>
#include <vector>

#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/loops.hpp"

namespace trellis::measure {

struct GaugeSelection {
  bool polyakov = false;            // in direction t
  bool topological_charge = false;  // clover, on the links as they are
  bool energy = false;              // clover energy density, its spatial and temporal parts
  std::optional<gauge::FlowParameters> flow;
};

struct GaugeMeasurement {
  gauge::Plaquette plaquette;
  double rectangle = 0;
  std::optional<std::complex<double>> polyakov;
  std::optional<double> topological_charge;
  std::optional<gauge::CloverObservables> energy;
  std::vector<gauge::FlowPoint> flow;  // empty without flow
  std::optional<double> t0, w0;        // in lattice units; nothing where the flow did not reach them
};

template <class T, int W>
GaugeMeasurement measure_gauge(const GaugeSelection& selection, const GaugeField<T, W>& u);

}  // namespace trellis::measure
