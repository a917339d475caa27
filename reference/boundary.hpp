// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions with boundaries in time, loop by loop, on a configuration that is stored as periodic.
//   open: slices 0 to last = L_t - 1; loops that cross the boundary do not exist, loops within slice 0 or last have the
//   weight c_G / 2.  Schroedinger functional: slices 0 to last, on which links in space are fixed at 0 and last;
//   plaquettes in time with a side on slice 0 or last have the weight c_G. Rectangles there: either the squares P^2 of
//   these plaquettes have half of the rectangles' weight (orbifold), or rectangles with two links on slice 0 or last
//   have c_G_rectangles times their weight; parallelograms have theirs everywhere.

#include <vector>

#include "reference/action.hpp"

namespace trellis::reference {

struct TimeBoundary {
  bool schroedinger_functional = false;  // otherwise open
  int last = 0;
  double c_g = 1;
  bool orbifold = true;
  double c_g_rectangles = 1.5;
};

// sum over loops of weight (1 - Re tr / 3)
double gauge_action(const GaugeConfiguration& u, const LoopWeights& weights, const TimeBoundary& boundary);

// For every link sum_a T_a dS/d omega_a, from every loop in which it occurs; zero for links that are not variables.
std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, const LoopWeights& weights,
                                     const TimeBoundary& boundary);

// One step of the third-order flow (flow.hpp), dU/dt = -i w sum_a T_a dS/d omega_a U with S of beta = 6 and these c_0,
// c_1 and w = 2 for links in space on open boundaries, otherwise 1; c_g of the boundary should be 1.
GaugeConfiguration flow_step(const GaugeConfiguration& u, double step, double c1, const TimeBoundary& boundary);

// The sum over the plaquettes through U_mu(x) of their weight times the product of their other links, from x + mu to x.
Matrix plaquette_staple(const GaugeConfiguration& u, const Site& x, int mu, const TimeBoundary& boundary);

// Whether a link is a variable.
bool is_variable(const Site& x, int mu, const TimeBoundary& boundary);

}  // namespace trellis::reference
