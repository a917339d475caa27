// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gradient flow dV/dt = Z(V) V, Z_mu(x) = -g^2 dS(V)/dV_mu(x) = minus the traceless anti-Hermitian part of V times
// its staples, weighted with c0 = 1 - 8 c1 and c1: the force of Action{beta = 6, c1} (Luescher, JHEP 08 (2010) 071).
// Time t is in units of a^2; the smearing radius is sqrt(8 t). Integrated with Luescher's third-order Runge-Kutta
// scheme (appendix C). With Zi = step Z(Wi) and W0 = V:
//   W1 = exp(1/4 Z0) W0,  W2 = exp(8/9 Z1 - 17/36 Z0) W1,  V' = exp(3/4 Z2 - 8/9 Z1 + 17/36 Z0) W2.
// With a tolerance the step is adapted to the distance d of V' from the second-order result exp(2 Z1 - Z0) W0 (Fritzsch
// and Ramos, JHEP 10 (2013) 008): a step with d > tolerance is repeated, and the next step is 0.95 (tolerance /
// d)^(1/3) times as long. d is the largest Frobenius norm of the difference of two links, divided by 3.
// Euler's method is V' = exp(Z0) W0.
// With boundaries in time Z(V) = -g^2 w dS(V) with w = 2 for links in space on an open boundary, otherwise 1, and S the
// action with c_G = 1 (M. Luescher and S. Schaefer, Comput. Phys. Commun. 184 (2013) 519, appendix B, as in openQCD):
// these links then flow as if the lattice went on beyond the boundary as its mirror image. Links that are not variables
// do not flow.
//
// Cost per step: three forces of the action and three exponentials per link; a measurement costs about one force.
// Memory: the links and one algebra field; with a tolerance twice that, and the links once more.

#include <optional>
#include <vector>

#include "trellis/gauge/action.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/clover.hpp"

namespace trellis::gauge {

enum class FlowIntegrator { third_order, euler };

struct FlowParameters {
  double c1 = 0;               // rectangle coefficient of the action that drives the flow
  double step = 0.01;          // longest fixed step, or the first step of an adaptive flow
  double time_max = 1.0;       // t / a^2
  double tolerance = 0;        // > 0: adaptive; largest distance d in one step
  double measure_every = 0.1;  // flow time between measurements; steps are shortened to meet it exactly
  FlowIntegrator integrator = FlowIntegrator::third_order;
  bool slices = false;  // measure each time slice
  Boundary boundary{};  // of the links
};

struct FlowPoint {
  double time = 0;
  double step = 0;                                                    // the last step before this point
  double energy_clover = 0, energy_spatial = 0, energy_temporal = 0;  // clover definition, as in CloverObservables
  double energy_plaquette = 0;                                        // 36 (1 - plaquette)
  double topological_charge = 0;
  double plaquette = 0;
  std::vector<SliceObservables> slices = {};  // one for each t, if asked for
};

// Flows u in place from time 0 and measures at 0, measure_every, ... time_max.
// Throws InputError for a step, time or tolerance out of range, or a tolerance for Euler's method, Error if the
// adaptive step becomes too small.
template <class T, int W>
std::vector<FlowPoint> flow(const FlowParameters& parameters, const GaugeField<T, W>& u);

// One Runge-Kutta step; returns d.
template <class T, int W>
double flow_step(double c1, double step, const GaugeField<T, W>& u);

// t0 / a^2, where t^2 E(t) first reaches the target, and w0 / a, where t d(t^2 E)/dt first does at t = w0^2 (BMW, JHEP
// 09 (2012) 010). E is the clover definition. Cubic interpolation in t; empty if the curve does not reach the target.
std::optional<double> flow_scale_t0(const std::vector<FlowPoint>& points, double target = 0.3);
std::optional<double> flow_scale_w0(const std::vector<FlowPoint>& points, double target = 0.3);

}  // namespace trellis::gauge
