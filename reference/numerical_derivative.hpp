// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The derivative of any function of the gauge field with respect to one link, by finite differences:
// df/d omega_a at U_mu(x) -> exp(i omega_a T_a) U_mu(x), fourth-order central,
//   [8 (f(h) - f(-h)) - (f(2h) - f(-2h))] / 12 h,   error h^4 f''''' / 30 and rounding about |f| 1e-16 / h.
// Four evaluations of f for each a. Every force is tested with this.

#include <array>
#include <functional>

#include "reference/gauge.hpp"

namespace trellis::reference {

using GaugeFunction = std::function<double(const GaugeConfiguration&)>;

double numerical_derivative(const GaugeFunction& f, const GaugeConfiguration& u, const Site& x, int mu, int a,
                            double h = 4e-3);

std::array<double, 8> numerical_derivative(const GaugeFunction& f, const GaugeConfiguration& u, const Site& x, int mu,
                                           double h = 4e-3);

}  // namespace trellis::reference
