// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson_inverse.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::reference {

SpinorField solve_m(const WilsonMatrix& m, const SpinorField& b, double tolerance) {
  SpinorField x = zero_spinors(m.links.size), r = b, z = apply_m_adjoint(m, r), p = z;
  const double goal = tolerance * norm(b);
  double zz = dot(z, z).real();
  for (int iteration = 0; norm(r) > goal; ++iteration) {
    if (iteration == 10000) fail("conjugate gradient: residual {} after 10000 iterations, not {}", norm(r), goal);
    const SpinorField q = apply_m(m, p);
    const double alpha = zz / dot(q, q).real();
    x = x + alpha * p;
    r = r - alpha * q;
    z = apply_m_adjoint(m, r);
    const double next = dot(z, z).real();
    p = z + (next / zz) * p;
    zz = next;
  }
  const double residual = norm(b - apply_m(m, x));
  if (residual > 10.0 * goal) fail("conjugate gradient: true residual {}, not {}", residual, goal);
  return x;
}

SpinorField column(const Propagator& s, int component) {
  SpinorField psi(s.size());
  for (std::size_t n = 0; n < s.size(); ++n)
    for (int k = 0; k < 12; ++k) psi[n][k] = s[n](k, component);
  return psi;
}

Propagator from_columns(const Site& size, const std::function<SpinorField(int component)>& columns) {
  Propagator s(GaugeConfiguration(size).volume(), DenseMatrix(12));
  for (int component = 0; component < 12; ++component) {
    const SpinorField psi = columns(component);
    for (std::size_t n = 0; n < s.size(); ++n)
      for (int k = 0; k < 12; ++k) s[n](k, component) = psi.at(n)[k];
  }
  return s;
}

Propagator propagator(const WilsonMatrix& m, const std::function<SpinorField(int component)>& source,
                      double tolerance) {
  return from_columns(m.links.size, [&](int component) { return solve_m(m, source(component), tolerance); });
}

Propagator point_propagator(const WilsonMatrix& m, const Site& source, double tolerance) {
  return propagator(m, [&](int component) { return point_spinors(m.links.size, source, component); }, tolerance);
}

DenseMatrix dense_wilson(const WilsonMatrix& m) {
  const int volume = m.links.volume();
  DenseMatrix matrix(12 * volume);
  for (int column = 0; column < matrix.n; ++column) {
    const SpinorField image = apply_m(m, point_spinors(m.links.size, m.links.site(column / 12), column % 12));
    for (int row = 0; row < matrix.n; ++row) matrix(row, column) = image[row / 12][row % 12];
  }
  return matrix;
}

}  // namespace trellis::reference
