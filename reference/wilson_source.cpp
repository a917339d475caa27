// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson_source.hpp"

namespace trellis::reference {

SpinorField wall_spinors(const Site& size, int time, int component) {
  const GaugeConfiguration lattice(size);
  SpinorField psi = zero_spinors(size);
  for (int n = 0; n < lattice.volume(); ++n)
    if (lattice.site(n)[3] == time) psi[n].at(component) = 1.0;
  return psi;
}

SpinorField gaussian_smear(const GaugeConfiguration& u, const SpinorField& psi, double alpha, int steps) {
  SpinorField smeared = psi;
  for (int step = 0; step < steps; ++step) {
    const SpinorField last = smeared;
    for (int n = 0; n < u.volume(); ++n) {
      const Site x = u.site(n);
      Spinor sum{};
      for (int j = 0; j < 3; ++j) {
        const Site behind = shift(x, j, -1);
        sum =
            sum + u.link(x, j) * last.at(u.index(shift(x, j))) + adjoint(u.link(behind, j)) * last.at(u.index(behind));
      }
      smeared[n] = Complex(1.0 / (1.0 + 6.0 * alpha)) * (last[n] + Complex(alpha) * sum);
    }
  }
  return smeared;
}

}  // namespace trellis::reference
