// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gauge_fixing.hpp"

namespace trellis::reference {

namespace {

bool exists(int t, int mu, const std::optional<TimeBoundary>& boundary) {
  return !boundary || (t >= 0 && t + (mu == 3 ? 1 : 0) <= boundary->last);
}

}  // namespace

double gauge_functional(const GaugeConfiguration& u, int directions, const std::optional<TimeBoundary>& boundary) {
  double sum = 0;
  int links = 0;
  for (int i = 0; i < u.volume(); ++i)
    for (int mu = 0; mu < directions; ++mu)
      if (exists(u.site(i)[3], mu, boundary)) {
        sum += trace(u.link(u.site(i), mu)).real();
        ++links;
      }
  return sum / (3.0 * links);
}

std::vector<Matrix> gauge_divergence(const GaugeConfiguration& u, int directions,
                                     const std::optional<TimeBoundary>& boundary) {
  const auto a = [&](const Site& x, int mu) {
    if (!exists(x[3], mu, boundary)) return zero_matrix();
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

double gauge_residual(const GaugeConfiguration& u, int directions, const std::optional<TimeBoundary>& boundary) {
  const auto divergence = gauge_divergence(u, directions, boundary);
  double sum = 0;
  int sites = 0;
  for (int i = 0; i < u.volume(); ++i) {
    if (boundary && !is_variable(u.site(i), 0, *boundary)) continue;
    const Matrix& delta = divergence[std::size_t(i)];
    sum += trace(delta * adjoint(delta)).real();
    ++sites;
  }
  return sum / (3.0 * sites);
}

}  // namespace trellis::reference
