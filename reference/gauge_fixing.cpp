// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gauge_fixing.hpp"

namespace trellis::reference {

double gauge_functional(const GaugeConfiguration& u, int directions) {
  double sum = 0;
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < directions; ++mu) sum += trace(u.link(u.site(i), mu)).real();
  return sum / (3.0 * directions * u.volume());
}

std::vector<Matrix> gauge_divergence(const GaugeConfiguration& u, int directions) {
  const auto a = [&](const Site& x, int mu) {
    return Complex(0, -1) * traceless_antihermitian(u.link(x, mu));  // (U - U^+) / (2 i), traceless
  };
  std::vector<Matrix> divergence;
  for (int i = 0; i < u.volume(); ++i) {
    const Site x = u.site(i);
    Matrix delta = zero_matrix();
    for (int mu = 0; mu < directions; ++mu) delta = delta + a(x, mu) - a(shift(x, mu, -1), mu);
    divergence.push_back(delta);
  }
  return divergence;
}

double gauge_residual(const GaugeConfiguration& u, int directions) {
  double sum = 0;
  for (const Matrix& delta : gauge_divergence(u, directions)) sum += trace(delta * adjoint(delta)).real();
  return sum / (3.0 * u.volume());
}

}  // namespace trellis::reference
