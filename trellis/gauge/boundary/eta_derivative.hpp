// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The derivative of the action of a Schroedinger functional by eta, where
//   phi = phi(0) + eta (1, -1/2, -1/2),   phi' = phi'(0) - eta (1, -1/2, -1/2)
// move the fields on both boundaries. Its average defines a running coupling (M. Luescher et al., Nucl. Phys. B 413
// (1994) 481): <dS/d eta> = k / g^2 with the tree-level value k = 12 L^2 (sin 2 gamma + sin gamma), gamma = (eta + pi /
// 3) / (L T), at the point "A"; with rectangles 12 L^2 [c0 (sin 2 gamma + sin gamma) + 4 c1 (sin 4 gamma + sin 2
// gamma)] (S. Takeda et al., Phys. Rev. D 70 (2004) 074510). Only loops in time that touch a boundary depend on eta.
// Cost: their staples, and a pass over the tables of sites for each boundary.

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// dS/d eta for beta = 1; c_G, c1 and the weights of rectangles are those of the boundary. Error if it is no
// Schroedinger functional, or has parallelograms.
template <class T, int W>
double eta_derivative(const Boundary& boundary, const GaugeField<T, W>& u);

}  // namespace trellis::gauge
