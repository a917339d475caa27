// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/stout.hpp"

#include "reference/loops.hpp"

namespace trellis::reference {
namespace {

Matrix staples_along(const GaugeConfiguration& u, const Site& x, int mu) {
  Matrix sum{};
  for (int nu = 0; nu < 4; ++nu) {
    if (nu == mu) continue;
    sum = sum + path_product(u, x, forward(nu) + forward(mu) + backward(nu));
    sum = sum + path_product(u, x, backward(nu) + forward(mu) + forward(nu));
  }
  return sum;
}

}  // namespace

GaugeConfiguration stout(GaugeConfiguration u, double rho, int levels) {
  for (int level = 0; level < levels; ++level) {
    const GaugeConfiguration thin = u;
    for (int i = 0; i < u.volume(); ++i)
      for (int mu = 0; mu < 4; ++mu) {
        const Site x = u.site(i);
        const Matrix omega = rho * (staples_along(thin, x, mu) * adjoint(thin.link(x, mu)));
        const Matrix q = traceless_hermitian(Complex(0.0, 0.5) * (adjoint(omega) - omega));
        u.link(x, mu) = exponential(Complex(0.0, 1.0) * q) * thin.link(x, mu);
      }
  }
  return u;
}

}  // namespace trellis::reference
