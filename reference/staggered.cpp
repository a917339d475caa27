// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered.hpp"

#include <cmath>

#include "reference/random.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

void require_valid(const GaugeConfiguration& u, const LinkPhases& theta, const ColourField& psi) {
  for (const int extent : u.size)
    if (extent % 2 != 0) fail_input("staggered quarks on an extent of {}; it must be even", extent);
  if (theta.size() != u.links.size()) fail_input("{} phases for {} links", theta.size(), u.links.size());
  if (psi.size() * 4 != u.links.size()) fail_input("a vector on {} sites for {} links", psi.size(), u.links.size());
}

ColourVector times(const Matrix& m, const ColourVector& v) {
  ColourVector w{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w[i] += m(i, j) * v[j];
  return w;
}

}  // namespace

double eta(const Site& x, int mu) {
  int sum = 0;
  for (int nu = 0; nu < mu; ++nu) sum += x[nu];
  return sum % 2 == 0 ? 1.0 : -1.0;
}

double epsilon(const Site& x) { return (x[0] + x[1] + x[2] + x[3]) % 2 == 0 ? 1.0 : -1.0; }

HopWeights weights_of_d(const Site& size) {
  const std::size_t n = GaugeConfiguration(size).links.size();
  return {std::vector<Complex>(n, 1.0), std::vector<Complex>(n, -1.0)};
}

ColourField apply_hops(const GaugeConfiguration& u, const LinkPhases& theta, const HopWeights& weights,
                       const ColourField& psi) {
  require_valid(u, theta, psi);
  ColourField result(psi.size());
  for (int n = 0; n < u.volume(); ++n) {
    const Site x = u.site(n);
    ColourVector sum{};
    for (int mu = 0; mu < 4; ++mu) {
      const int ahead = u.index(shift(x, mu)), behind = u.index(shift(x, mu, -1));
      const Complex f = weights.forward[4 * n + mu] * std::polar(1.0, theta[4 * n + mu]);
      const Complex b = weights.backward[4 * behind + mu] * std::polar(1.0, -theta[4 * behind + mu]);
      const ColourVector forwards = times(u.links[4 * n + mu], psi[ahead]);
      const ColourVector backwards = times(adjoint(u.links[4 * behind + mu]), psi[behind]);
      for (int c = 0; c < 3; ++c) sum[c] += 0.5 * eta(x, mu) * (f * forwards[c] + b * backwards[c]);
    }
    result[n] = sum;
  }
  return result;
}

ColourField apply_d(const GaugeConfiguration& u, const LinkPhases& theta, const ColourField& psi) {
  return apply_hops(u, theta, weights_of_d(u.size), psi);
}

ColourField apply_m(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& psi) {
  return mass * psi + apply_d(u, theta, psi);
}

ColourField apply_m_adjoint(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& psi) {
  return mass * psi - apply_d(u, theta, psi);
}

ColourField apply_m_adjoint_m(const GaugeConfiguration& u, const LinkPhases& theta, double mass,
                              const ColourField& psi) {
  return apply_m_adjoint(u, theta, mass, apply_m(u, theta, mass, psi));
}

ColourField solve_m(const GaugeConfiguration& u, const LinkPhases& theta, double mass, const ColourField& psi,
                    double tolerance) {
  const ColourField source = apply_m_adjoint(u, theta, mass, psi);
  ColourField x = constant_field(u.size, 0.0), r = source, p = r;
  double rr = dot(r, r).real();
  for (int iteration = 0; iteration < 100000; ++iteration) {
    // |M^+ M x - M^+ psi| >= m |M x - psi|
    if (std::sqrt(rr) <= tolerance * mass * norm(psi)) return x;
    const ColourField q = apply_m_adjoint_m(u, theta, mass, p);
    const double alpha = rr / dot(p, q).real();
    x = x + alpha * p;
    r = r - alpha * q;
    const double next = dot(r, r).real();
    p = r + (next / rr) * p;
    rr = next;
  }
  fail("conjugate gradient: residual {} after 100000 iterations", std::sqrt(rr));
}

ColourField constant_field(const Site& size, Complex value) {
  return ColourField(GaugeConfiguration(size).volume(), ColourVector{{value, value, value}});
}

ColourField random_field(const Site& size, std::uint64_t seed) {
  Random random(seed);
  ColourField psi = constant_field(size, 0.0);
  for (ColourVector& v : psi)
    for (Complex& z : v) {
      const double re = random.normal();
      z = Complex(re, random.normal());
    }
  return psi;
}

ColourField point_field(const Site& size, const Site& x, int colour) {
  ColourField psi = constant_field(size, 0.0);
  psi.at(GaugeConfiguration(size).index(x)).at(colour) = 1.0;
  return psi;
}

ColourField gauge_transform(const ColourField& psi, const GaugeTransformation& g) {
  ColourField result(psi.size());
  for (std::size_t n = 0; n < psi.size(); ++n) result[n] = times(g.at(n), psi[n]);
  return result;
}

ColourField operator+(const ColourField& a, const ColourField& b) {
  ColourField sum = a;
  for (std::size_t n = 0; n < a.size(); ++n)
    for (int c = 0; c < 3; ++c) sum[n][c] += b.at(n)[c];
  return sum;
}

ColourField operator-(const ColourField& a, const ColourField& b) { return a + Complex(-1.0) * b; }

ColourField operator*(Complex s, const ColourField& a) {
  ColourField product = a;
  for (ColourVector& v : product)
    for (Complex& z : v) z *= s;
  return product;
}

Complex dot(const ColourField& a, const ColourField& b) {
  Complex sum = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n)
    for (int c = 0; c < 3; ++c) sum += std::conj(a[n][c]) * b.at(n)[c];
  return sum;
}

double norm(const ColourField& a) { return std::sqrt(dot(a, a).real()); }

}  // namespace trellis::reference
