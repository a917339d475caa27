// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The derivative of sum_i w_i X_i^dagger (m^2 - D_eo D_oe) X_i with respect to the links, X_i even and held fixed. With
// Y_i = D_oe X_i it is
//   - sum_i w_i 2 Re [X_i^dagger dD_eo Y_i]  =  - sum over links Re tr(dU_mu(x) G_mu(x)),
//   G_mu(x) = eta_mu(x) u_mu(x) sum_i w_i Y_i(x+mu) X_i(x)^dagger     for even x
//           = - eta_mu(x) u_mu(x) sum_i w_i X_i(x+mu) Y_i(x)^dagger   for odd x.
// With long links the same by L_mu(x), with x+3mu in place of x+mu and the product v_mu(x) of three phases in place of
// u_mu(x) (staggered.hpp). The coefficient of the Naik term is in L, hence not in this derivative.
// Flops per site and vector: 4 x 72, with long links 8 x 72. Bytes in double precision: 48 read per site and vector,
// 576 per site read and written, with long links 1152.

#include <span>

#include "trellis/dirac/staggered/staggered.hpp"

namespace trellis::dirac {

// derivative_mu(x) += G_mu(x): with S = sum_i r_i phi^dagger (A + b_i)^-1 phi, X_i = (A + b_i)^-1 phi and w = r this is
// the matrix with dS = sum Re tr(dU derivative). coefficients are those of D (staggered_coefficient); x holds w.size()
// even vectors, y as many odd ones.
template <class T, int W>
void add_staggered_derivative(const HopTable<T, W>& coefficients, std::span<const double> weights,
                              const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y,
                              const GaugeField<T, W>& derivative);

// The same, and long_derivative_mu(x) += the derivative by long links: dS = sum Re tr(dX derivative + dL
// long_derivative). coefficients are those of D for naik_neighbours; vectors are read once for both. The lattice's
// vectors must reach three steps.
template <class T, int W>
void add_staggered_derivative(const HopTable<T, W>& coefficients, std::span<const double> weights,
                              const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y,
                              const GaugeField<T, W>& derivative, const GaugeField<T, W>& long_derivative);

}  // namespace trellis::dirac
