// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stout smearing of spatial links within their time slice (C. Morningstar and M. Peardon, hep-lat/0311018, with
// rho_{ij} = rho and rho_{i4} = rho_{4i} = 0):
//   U'_i(x) = exp(X_i(x)) U_i(x),   X = traceless anti-Hermitian part of rho V_i(x) U_i(x)^dagger,
// V the sum of the four staples in spatial planes. Temporal links are unchanged, so operators made of smeared links are
// local in time, and a transfer matrix exists. Used for the links with which sources of hadrons are smeared.
// Links that the boundary of a Schroedinger functional fixes stay as they are.
// Cost per site and step: 27 matrix products and 3 exponentials of 700 flops.

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// u smeared `steps` times; for 0 steps u itself, shared. InputError for rho outside [0, 0.5] or fewer than 0 steps.
template <class T, int W>
GaugeField<T, W> spatial_stout(double rho, int steps, const GaugeField<T, W>& u, const Boundary& boundary = {});

}  // namespace trellis::gauge
