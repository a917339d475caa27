// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is done with a gradient, dS = sum Re tr(gradient_mu(x)^dagger dU_mu(x)), at each link by itself.

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// gradient += derivative^dagger, for dS = sum Re tr(derivative_mu(x) dU_mu(x)).
template <class T, int W>
void add_derivative(const GaugeField<T, W>& derivative, const GaugeField<T, W>& gradient);

// p_a += step F_a with F_a = -dS/dw_a for U_mu(x) -> exp(i w_a T_a) U_mu(x).
template <class T, int W>
void add_force_of_gradient(const GaugeField<T, W>& u, const GaugeField<T, W>& gradient, double step,
                           const AlgebraField<T, W>& p);

}  // namespace trellis::gauge
