// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exact integrals over one link: the data that a heatbath, and simulations at strong coupling, must reproduce.
//
// SU(3), weight exp(coupling Re tr U), class functions only: Weyl's formula over the eigenvalue angles,
//   dU = const prod_{i<j} |e^{i t_i} - e^{i t_j}|^2 dt_1 dt_2,  t_3 = -t_1 - t_2,
// SU(2), U = a0 + i a.sigma, weight exp(coupling a0): density sqrt(1 - a0^2) exp(coupling a0) on [-1, 1]. (This is what
// a Cabibbo-Seiler subgroup step draws; Kennedy and Pendleton, Phys. Lett. B 156 (1985) 393.)
// Both by the trapezoidal rule on a circle, which converges exponentially: to rounding for |coupling| <= 50.
//
// Wilson action in four dimensions: plaquette = u + 4 u^5 + ..., u = <Re tr U> / 3 at coupling beta / 3; in two
// dimensions the plaquette is u exactly.

#include <functional>

#include "reference/algebra.hpp"

namespace trellis::reference {

// <f(U)> of a class function f, which is called with diagonal matrices.
double su3_average(const std::function<double(const Matrix&)>& f, double coupling);

// <f(a0)>
double su2_average(const std::function<double(double)>& f, double coupling);

// Probability that a0 is below the given value.
double su2_cumulative(double a0, double coupling);

double one_link_plaquette(double beta);         // u
double strong_coupling_plaquette(double beta);  // u + 4 u^5

}  // namespace trellis::reference
