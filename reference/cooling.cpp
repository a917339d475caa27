// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/cooling.hpp"

#include <cmath>

namespace trellis::reference {

namespace {

// The g in the subgroup of rows i and j for which Re tr(g m) is largest. Of a 2 x 2 matrix B, q = (B + the conjugate of
// its cofactors) / 2 is a multiple of an element of SU(2), and only q counts in Re tr(g B).
Matrix best_in_subgroup(const Matrix& m, int i, int j) {
  const Complex a = 0.5 * (m(i, i) + std::conj(m(j, j))), b = 0.5 * (m(i, j) - std::conj(m(j, i)));
  const double length = std::sqrt(std::norm(a) + std::norm(b));
  Matrix g = identity();
  g(i, i) = std::conj(a) / length;
  g(j, j) = a / length;
  g(i, j) = -b / length;
  g(j, i) = std::conj(b) / length;
  return g;
}

Matrix cooled(Matrix u, const Matrix& v) {
  for (int round = 0; round < 3; ++round)
    for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) u = best_in_subgroup(u * v, i, j) * u;
  return u;
}

}  // namespace

GaugeConfiguration cool(GaugeConfiguration u, const TimeBoundary& boundary) {
  for (int mu = 0; mu < 4; ++mu)
    for (const int parity : {0, 1})
      for (int n = 0; n < u.volume(); ++n) {
        const Site x = u.site(n);
        if ((x[0] + x[1] + x[2] + x[3]) % 2 != parity || !is_variable(x, mu, boundary)) continue;
        u.link(x, mu) = cooled(u.link(x, mu), plaquette_staple(u, x, mu, boundary));
      }
  return u;
}

}  // namespace trellis::reference
