// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/rooted_action.hpp"

#include <cmath>

#include "reference/numerical_derivative.hpp"
#include "reference/stout.hpp"

namespace trellis::reference {

double rooted_action(const GaugeConfiguration& u, const RootedQuark& quark, const DenseVector& phi) {
  const GaugeConfiguration smeared = stout(u, quark.smearing.rho, quark.smearing.levels);
  const DenseMatrix a = staggered_even_matrix(smeared, link_phases(u.size, quark.phases), quark.mass);
  const DenseVector x =
      apply_function(hermitian_eigensystem(a), [&](double value) { return std::pow(value, -quark.power); }, phi);
  double sum = 0.0;
  for (std::size_t i = 0; i < phi.size(); ++i) sum += (std::conj(phi[i]) * x.at(i)).real();
  return sum;
}

std::array<double, 8> rooted_derivative(const GaugeConfiguration& u, const RootedQuark& quark, const DenseVector& phi,
                                        const Site& x, int mu) {
  return numerical_derivative([&](const GaugeConfiguration& v) { return rooted_action(v, quark, phi); }, u, x, mu);
}

DenseMatrix rooted_gradient(const Eigensystem& a, double power, const DenseVector& phi) {
  const int n = a.vectors.n;
  DenseVector c(n);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) c[k] += std::conj(a.vectors(k, i)) * phi.at(i);

  DenseMatrix core(n);
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < n; ++l) {
      const double x = a.values[k], y = a.values[l];
      // f[x, y] = -power z^(-power - 1) to second order in x - y, with z in the middle.
      const double difference = std::abs(x - y) < 1e-5 * (x + y)
                                    ? -power * std::pow(0.5 * (x + y), -power - 1.0)
                                    : (std::pow(x, -power) - std::pow(y, -power)) / (x - y);
      core(k, l) = c[k] * difference * std::conj(c[l]);
    }

  // Row k of `vectors` is v_k: G_ij = sum_kl v_k(i) core(k, l) v_l(j)^*
  DenseMatrix columns(n), rows(n);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      columns(i, k) = a.vectors(k, i);
      rows(k, i) = std::conj(a.vectors(k, i));
    }
  return columns * (core * rows);
}

}  // namespace trellis::reference
