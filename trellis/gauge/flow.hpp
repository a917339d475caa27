// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gradient flow dV/dt = -g^2 dS(V)/dV V (Luescher, JHEP 08 (2010) 071), third-order Runge-Kutta of his appendix C,
// for any gauge action (S without its beta: flow time t is in units a^2 and t^2 E ~ 0.3 at t0). With a tolerance the
// step is chosen from the distance to the embedded second-order result (Fritzsch and Ramos, JHEP 10 (2013) 008).

#include <functional>
#include <optional>
#include <vector>

#include "trellis/gauge/action.hpp"
#include "trellis/gauge/clover.hpp"

namespace trellis::gauge {

struct FlowParameters {
  double c1 = 0;               // rectangle coefficient of the action that drives the flow
  double step = 0.01;          // fixed step, or the first step of an adaptive flow
  double time_max = 1.0;       // t / a^2
  double tolerance = 0;        // > 0: adaptive; largest distance of a link in one step
  double measure_every = 0.1;  // flow time between measurements; steps are shortened to meet it exactly
};

struct FlowPoint {
  double time = 0;
  double step = 0;  // that led here
  double energy_clover = 0, energy_spatial = 0, energy_temporal = 0, energy_plaquette = 0, topological_charge = 0;
  double plaquette = 0;
};

// Flows u in place from time 0 and measures at 0, measure_every, ... time_max.
template <class T, int W>
std::vector<FlowPoint> flow(const FlowParameters& parameters, const GaugeField<T, W>& u);

// One Runge-Kutta step; returns the largest distance max |V3 - V2| (norm of the matrix difference / 3) to second order.
template <class T, int W>
double flow_step(double c1, double step, const GaugeField<T, W>& u);

// t0: t^2 E(t) = 0.3; w0^2: t d(t^2 E)/dt = 0.3 (BMW, JHEP 09 (2012) 010). Interpolated between the points (cubic in
// t); nothing when the curve does not reach it.
std::optional<double> flow_scale_t0(const std::vector<FlowPoint>& points, double target = 0.3);
std::optional<double> flow_scale_w0(const std::vector<FlowPoint>& points, double target = 0.3);

}  // namespace trellis::gauge
