// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/clover.hpp"

#include <cmath>
#include <numbers>

namespace trellis::reference {

Matrix field_strength(const GaugeConfiguration& u, const Site& x, int mu, int nu) {
  const Path leaves[] = {
      forward(mu) + forward(nu) + backward(mu) + backward(nu), forward(nu) + backward(mu) + backward(nu) + forward(mu),
      backward(mu) + backward(nu) + forward(mu) + forward(nu), backward(nu) + forward(mu) + forward(nu) + backward(mu)};
  Matrix sum{};
  for (const Path& leaf : leaves) sum = sum + path_product(u, x, leaf);
  return Complex(0.0, -0.25) * traceless_antihermitian(sum);
}

EnergyDensity clover_energy(const GaugeConfiguration& u) {
  EnergyDensity e{};
  for (int i = 0; i < u.volume(); ++i)
    for (int nu = 0; nu < 4; ++nu)
      for (int mu = 0; mu < nu; ++mu) {
        const Matrix f = field_strength(u, u.site(i), mu, nu);
        (nu == 3 ? e.electric : e.magnetic) += trace(f * f).real() / u.volume();
      }
  e.total = e.magnetic + e.electric;
  return e;
}

EnergyDensity plaquette_energy(const GaugeConfiguration& u) {
  const Plaquette p = plaquette(u);
  return {36.0 * (1.0 - p.total), 18.0 * (1.0 - p.spatial), 18.0 * (1.0 - p.temporal)};
}

double topological_charge_density(const GaugeConfiguration& u, const Site& x) {
  const auto f = [&](int mu, int nu) { return field_strength(u, x, mu, nu); };
  const Complex sum = trace(f(0, 1) * f(2, 3) - f(0, 2) * f(1, 3) + f(0, 3) * f(1, 2));
  return sum.real() / (4.0 * std::numbers::pi * std::numbers::pi);
}

double topological_charge(const GaugeConfiguration& u) {
  double sum = 0.0;
  for (int i = 0; i < u.volume(); ++i) sum += topological_charge_density(u, u.site(i));
  return sum;
}

}  // namespace trellis::reference
