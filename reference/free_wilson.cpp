// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/free_wilson.hpp"

#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"

namespace trellis::reference {

Propagator free_propagator(const Site& size, const WilsonQuark& quark) {
  const GaugeConfiguration lattice(size);
  const int volume = lattice.volume();
  std::vector<std::array<double, 4>> momentum(volume);
  std::vector<SpinMatrix> s(volume);
  for (int n = 0; n < volume; ++n) {
    double w = 1.0, squares = 0.0;
    SpinMatrix slash{};
    for (int mu = 0; mu < 4; ++mu) {
      const double p = std::numbers::pi * (2.0 * lattice.site(n)[mu] + quark.boundary_angle_over_pi[mu]) / size[mu];
      const double hopping = 2.0 * quark.kappa * (mu == 3 ? 1.0 : quark.spatial_hopping);
      w -= hopping * std::cos(p);
      slash = slash + Complex(hopping * std::sin(p)) * gamma_matrix(mu);
      squares += hopping * hopping * std::sin(p) * std::sin(p);
      momentum[n][mu] = p;
    }
    const double denominator = w * w + squares;
    if (denominator < 1e-28) fail("free Wilson quarks: a zero mode at kappa = {}", quark.kappa);
    s[n] = Complex(1.0 / denominator) * (Complex(w) * spin_identity() - Complex(0.0, 1.0) * slash);
  }
  Propagator result(volume, DenseMatrix(12));
  for (int k = 0; k < volume; ++k) {
    const Site x = lattice.site(k);
    SpinMatrix sum{};
    for (int n = 0; n < volume; ++n) {
      double px = 0.0;
      for (int mu = 0; mu < 4; ++mu) px += momentum[n][mu] * x[mu];
      sum = sum + std::polar(1.0 / volume, px) * s[n];
    }
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column)
        for (int c = 0; c < 3; ++c) result[k](3 * row + c, 3 * column + c) = sum(row, column);
  }
  return result;
}

}  // namespace trellis::reference
