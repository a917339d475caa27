// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/projected_smearing.hpp"

#include <array>

namespace trellis::reference {
namespace {

using Boundary = std::optional<TimeBoundary>;

// The staples of U_mu(x) in the plane (mu, nu) that exist: the link along mu from `along`, those along nu from `aside`.
Matrix both_staples(const GaugeConfiguration& along, const GaugeConfiguration& aside, const Site& x, int mu, int nu,
                    const Boundary& boundary) {
  const Site down = shift(x, nu, -1);
  const bool above = !boundary || x[3] + (mu == 3) + (nu == 3) <= boundary->last, below = !boundary || down[3] >= 0;
  Matrix sum = zero_matrix();
  if (above) sum = sum + aside.link(x, nu) * along.link(shift(x, nu), mu) * adjoint(aside.link(shift(x, mu), nu));
  if (below) sum = sum + adjoint(aside.link(down, nu)) * along.link(down, mu) * aside.link(shift(down, mu), nu);
  return sum;
}

bool changes(const GaugeConfiguration& u, int site, int mu, const Boundary& boundary) {
  return !boundary || is_variable(u.site(site), mu, *boundary);
}

Matrix projected_sum(double alpha, const Matrix& link, int staples, const Matrix& sum) {
  return project_su3((1.0 - alpha) * link + alpha / staples * sum);
}

GaugeConfiguration ape_step(const GaugeConfiguration& u, double alpha, int dimensions, const Boundary& boundary) {
  GaugeConfiguration smeared = u;
  for (int n = 0; n < u.volume(); ++n)
    for (int mu = 0; mu < dimensions; ++mu) {
      if (!changes(u, n, mu, boundary)) continue;
      Matrix sum = zero_matrix();
      for (int nu = 0; nu < dimensions; ++nu)
        if (nu != mu) sum = sum + both_staples(u, u, u.site(n), mu, nu, boundary);
      smeared.links[4 * n + mu] = projected_sum(alpha, u.links[4 * n + mu], 2 * (dimensions - 1), sum);
    }
  return smeared;
}

// One configuration for each direction; links along that direction itself mean nothing.
using Decorated = std::array<GaugeConfiguration, 4>;

// V_mu;nu,rho at [eta], the fourth direction.
Decorated innermost(const GaugeConfiguration& u, double alpha, const Boundary& boundary) {
  Decorated v{u, u, u, u};
  for (int eta = 0; eta < 4; ++eta)
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu)
        if (mu != eta && changes(u, n, mu, boundary))
          v[eta].links[4 * n + mu] =
              projected_sum(alpha, u.links[4 * n + mu], 2, both_staples(u, u, u.site(n), mu, eta, boundary));
  return v;
}

// W_mu;nu at [nu].
Decorated middle(const GaugeConfiguration& u, const Decorated& v, double alpha, const Boundary& boundary) {
  Decorated w{u, u, u, u};
  for (int nu = 0; nu < 4; ++nu)
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        if (mu == nu || !changes(u, n, mu, boundary)) continue;
        Matrix sum = zero_matrix();
        for (int rho = 0; rho < 4; ++rho) {
          if (rho == mu || rho == nu) continue;
          const int eta = 6 - mu - nu - rho;
          sum = sum + both_staples(v[eta], v[eta], u.site(n), mu, rho, boundary);
        }
        w[nu].links[4 * n + mu] = projected_sum(alpha, u.links[4 * n + mu], 4, sum);
      }
  return w;
}

}  // namespace

GaugeConfiguration ape(GaugeConfiguration u, double alpha, int levels, const Boundary& boundary) {
  for (int level = 0; level < levels; ++level) u = ape_step(u, alpha, 4, boundary);
  return u;
}

GaugeConfiguration spatial_ape(GaugeConfiguration u, double alpha, int levels) {
  for (int level = 0; level < levels; ++level) u = ape_step(u, alpha, 3, {});
  return u;
}

GaugeConfiguration hyp(GaugeConfiguration u, double alpha1, double alpha2, double alpha3, int levels,
                       const Boundary& boundary) {
  for (int level = 0; level < levels; ++level) {
    const GaugeConfiguration thin = u;
    const Decorated w = middle(thin, innermost(thin, alpha3, boundary), alpha2, boundary);
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        if (!changes(u, n, mu, boundary)) continue;
        Matrix sum = zero_matrix();
        for (int nu = 0; nu < 4; ++nu)
          if (nu != mu) sum = sum + both_staples(w[nu], w[mu], u.site(n), mu, nu, boundary);
        u.links[4 * n + mu] = projected_sum(alpha1, thin.links[4 * n + mu], 6, sum);
      }
  }
  return u;
}

GaugeConfiguration spatial_hyp(GaugeConfiguration u, double alpha1, double alpha2, int levels) {
  for (int level = 0; level < levels; ++level) {
    const Decorated w = middle(u, innermost(u, alpha2, {}), alpha1, {});
    for (int n = 0; n < u.volume(); ++n)
      for (int mu = 0; mu < 3; ++mu) u.links[4 * n + mu] = w[3].links[4 * n + mu];
  }
  return u;
}

}  // namespace trellis::reference
