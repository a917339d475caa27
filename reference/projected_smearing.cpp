// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/projected_smearing.hpp"

#include <array>

namespace trellis::reference {
namespace {

// Both staples of U_mu(x) in the plane (mu, nu): the link along mu from `along`, those along nu from `aside`.
Matrix both_staples(const GaugeConfiguration& along, const GaugeConfiguration& aside, const Site& x, int mu, int nu) {
  const Site down = shift(x, nu, -1);
  return aside.link(x, nu) * along.link(shift(x, nu), mu) * adjoint(aside.link(shift(x, mu), nu)) +
         adjoint(aside.link(down, nu)) * along.link(down, mu) * aside.link(shift(down, mu), nu);
}

Matrix projected_sum(double alpha, const Matrix& link, int staples, const Matrix& sum) {
  return project_su3((1.0 - alpha) * link + alpha / staples * sum);
}

GaugeConfiguration ape_step(const GaugeConfiguration& u, double alpha, int dimensions) {
  GaugeConfiguration smeared = u;
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < dimensions; ++mu) {
      Matrix sum = zero_matrix();
      for (int nu = 0; nu < dimensions; ++nu)
        if (nu != mu) sum = sum + both_staples(u, u, u.site(n), mu, nu);
      smeared.links[4 * n + mu] = projected_sum(alpha, u.links[4 * n + mu], 2 * (dimensions - 1), sum);
    }
  return smeared;
}

// One configuration for each direction; links along that direction itself mean nothing.
using Decorated = std::array<GaugeConfiguration, 4>;

// V_mu;nu,rho at [eta], the fourth direction.
Decorated innermost(const GaugeConfiguration& u, double alpha) {
  Decorated v{u, u, u, u};
  for (int eta = 0; eta < 4; ++eta)
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu)
        if (mu != eta)
          v[eta].links[4 * n + mu] =
              projected_sum(alpha, u.links[4 * n + mu], 2, both_staples(u, u, u.site(n), mu, eta));
  return v;
}

// W_mu;nu at [nu].
Decorated middle(const GaugeConfiguration& u, const Decorated& v, double alpha) {
  Decorated w{u, u, u, u};
  for (int nu = 0; nu < 4; ++nu)
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        if (mu == nu) continue;
        Matrix sum = zero_matrix();
        for (int rho = 0; rho < 4; ++rho) {
          if (rho == mu || rho == nu) continue;
          const int eta = 6 - mu - nu - rho;
          sum = sum + both_staples(v[eta], v[eta], u.site(n), mu, rho);
        }
        w[nu].links[4 * n + mu] = projected_sum(alpha, u.links[4 * n + mu], 4, sum);
      }
  return w;
}

}  // namespace

GaugeConfiguration ape(GaugeConfiguration u, double alpha, int levels) {
  for (int level = 0; level < levels; ++level) u = ape_step(u, alpha, 4);
  return u;
}

GaugeConfiguration spatial_ape(GaugeConfiguration u, double alpha, int levels) {
  for (int level = 0; level < levels; ++level) u = ape_step(u, alpha, 3);
  return u;
}

GaugeConfiguration hyp(GaugeConfiguration u, double alpha1, double alpha2, double alpha3, int levels) {
  for (int level = 0; level < levels; ++level) {
    const GaugeConfiguration thin = u;
    const Decorated w = middle(thin, innermost(thin, alpha3), alpha2);
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        Matrix sum = zero_matrix();
        for (int nu = 0; nu < 4; ++nu)
          if (nu != mu) sum = sum + both_staples(w[nu], w[mu], u.site(n), mu, nu);
        u.links[4 * n + mu] = projected_sum(alpha1, thin.links[4 * n + mu], 6, sum);
      }
  }
  return u;
}

GaugeConfiguration spatial_hyp(GaugeConfiguration u, double alpha1, double alpha2, int levels) {
  for (int level = 0; level < levels; ++level) {
    const Decorated w = middle(u, innermost(u, alpha2), alpha1);
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 3; ++mu) u.links[4 * n + mu] = w[3].links[4 * n + mu];
  }
  return u;
}

}  // namespace trellis::reference
