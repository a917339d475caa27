// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is measured on one gauge configuration, however it was made. The links are not changed: flow, cooling and stout
// smearing work on copies.

#include <complex>
#include <optional>
#include <vector>

#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/loops.hpp"

namespace trellis::measure {

// Charges on links made smoother step by step, measured at 0, every, 2 every, ... and `steps`. InputError for fewer
// than 0 steps or `every` below 1.
struct CoolingSteps {  // gauge/cooling.hpp
  int steps = 50;
  int every = 10;
};
struct StoutSteps {  // gauge/stout.hpp
  double rho = 0.1;
  int steps = 50;
  int every = 10;
};

struct GaugeSelection {
  bool polyakov = false;            // in direction t
  bool topological_charge = false;  // clover, on the links as they are
  bool energy = false;              // clover energy density, its spatial and temporal parts
  std::optional<gauge::FlowParameters> flow;
  std::optional<CoolingSteps> cooling = std::nullopt;
  std::optional<StoutSteps> stout = std::nullopt;
};

struct SmoothedCharge {
  int steps = 0;
  double topological_charge = 0;  // clover
  double plaquette = 0;
};

struct GaugeMeasurement {
  gauge::Plaquette plaquette;
  double rectangle = 0;
  std::optional<std::complex<double>> polyakov;
  std::optional<double> topological_charge;
  std::optional<gauge::CloverObservables> energy;
  std::vector<gauge::FlowPoint> flow;  // empty without flow
  std::vector<SmoothedCharge> cooling, stout;
  std::optional<double> t0, w0;  // in lattice units; nothing where the flow did not reach them
};

template <class T, int W>
GaugeMeasurement measure_gauge(const GaugeSelection& selection, const GaugeField<T, W>& u);

}  // namespace trellis::measure
