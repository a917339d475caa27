// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gradient flow, dU/dt = Z(U) U, by Luescher's third-order Runge-Kutta (arXiv:1006.4518, appendix C):
//
//   W0 = U
//   W1 = exp( 1/4 Z0) W0                          Zi = eps Z(Wi)
//   W2 = exp( 8/9 Z1 - 17/36 Z0) W1
//   U' = exp( 3/4 Z2 - 8/9 Z1 + 17/36 Z0) W2
//
// Z = minus the traceless antihermitian part of U V with V the staple (c0 plaquettes + c1 rectangles, c0 = 1 - 8 c1):
// the flow of the Wilson action for c1 = 0, of the Symanzik action for c1 = -1/12. Time t in lattice units; the
// smearing radius is sqrt(8 t).

#include "reference/action.hpp"

namespace trellis::reference {

// Z for every link, indexed as u.links.
std::vector<Matrix> flow_direction(const GaugeConfiguration& u, double c1 = wilson_c1);

GaugeConfiguration flow_step(const GaugeConfiguration& u, double step, double c1 = wilson_c1);
GaugeConfiguration flow(GaugeConfiguration u, double step, int steps, double c1 = wilson_c1);

}  // namespace trellis::reference
