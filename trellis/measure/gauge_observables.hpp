// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is measured on a gauge configuration, however it was made. The links are not changed: flow, cooling and stout
// smearing work on copies.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/measure/loops/glueballs.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::measure {

// Topological charges on links that are smoothed step by step, measured after 0, every, 2 every, ... and `steps` steps.
// InputError for fewer than 0 steps or `every` below 1.
struct SmoothingSteps {
  std::string name;   // of smoothing.hpp
  double weight = 0;  // for smoothings that have it
  int steps = 50;
  int every = 10;
  std::map<std::string, double> options = {};  // by key; missing keys have their default values
};

struct GaugeSelection {
  std::vector<Observable> observables = {};
  std::optional<gauge::FlowParameters> flow = std::nullopt;
  std::vector<SmoothingSteps> smoothings = {};
  std::optional<WilsonLoopSelection> wilson_loops = std::nullopt;
  std::optional<GlueballSelection> glueballs = std::nullopt;
};

struct SmoothedCharge {
  int steps = 0;
  double topological_charge = 0;  // clover
  double plaquette = 0;
};

struct GaugeMeasurement {
  gauge::Plaquette plaquette;
  double rectangle = 0;
  std::map<std::string, std::vector<double>> observables;       // those selected, by name: a number per column
  std::vector<gauge::FlowPoint> flow;                           // empty without flow
  std::map<std::string, std::vector<SmoothedCharge>> smoothed;  // those selected, by name
  std::vector<WilsonLoop> wilson_loops;                         // empty without them, as are operators of glueballs
  std::vector<GlueballOperators> glueballs;
  std::optional<double> t0, w0;  // in lattice units; empty if the flow did not reach them
  // What took how long: "observables" (those that are not measured after every trajectory anyway), "flow",
  // "wilson_loops", "glueballs", and smoothings by name.
  std::map<std::string, double> seconds;
};

// boundary: of the links. With one that is not periodic the Polyakov loop has no meaning.
template <int W>
GaugeMeasurement measure_gauge(const GaugeSelection& selection, const GaugeField<double, W>& u,
                               const gauge::Boundary& boundary = {});

// Throws InputError for what is not known at a boundary that is not periodic; `what` says that it is not.
void require_known(const GaugeSelection& selection, const gauge::Boundary& boundary, const std::string& what);

}  // namespace trellis::measure
