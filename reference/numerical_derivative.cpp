// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/numerical_derivative.hpp"

namespace trellis::reference {

double numerical_derivative(const GaugeFunction& f, const GaugeConfiguration& u, const Site& x, int mu, int a,
                            double h) {
  GaugeConfiguration moved = u;
  const auto at = [&](double omega) {
    moved.link(x, mu) = exponential(Complex(0.0, omega) * generator(a)) * u.link(x, mu);
    return f(moved);
  };
  return (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
}

std::array<double, 8> numerical_derivative(const GaugeFunction& f, const GaugeConfiguration& u, const Site& x, int mu,
                                           double h) {
  std::array<double, 8> d;
  for (int a = 0; a < 8; ++a) d[a] = numerical_derivative(f, u, x, mu, a, h);
  return d;
}

}  // namespace trellis::reference
