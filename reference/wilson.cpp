// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson.hpp"

#include <cmath>
#include <numbers>

#include "reference/loops.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

void require_valid(const WilsonMatrix& m, const SpinorField& psi) {
  if (psi.size() * 4 != m.links.links.size())
    fail_input("a spinor field on {} sites for {} links", psi.size(), m.links.links.size());
}

// P psi
SpinorField where_quarks_are(const WilsonMatrix& m, SpinorField psi) {
  for (int n = 0; n < m.links.volume(); ++n)
    if (!m.quark.on_slice(m.links.site(n)[3])) psi[n] = Spinor{};
  return psi;
}

// D with gamma_mu multiplied by `sign`.
SpinorField hops(const WilsonMatrix& m, const SpinorField& from, double sign) {
  require_valid(m, from);
  const SpinorField psi = where_quarks_are(m, from);
  const GaugeConfiguration& u = m.links;
  SpinorField result = zero_spinors(u.size);
  for (int mu = 0; mu < 4; ++mu) {
    const double hopping = mu == 3 ? 1.0 : m.quark.spatial_hopping;
    const Complex turn = std::polar(1.0, std::numbers::pi * m.quark.boundary_angle_over_pi[mu]);
    const SpinMatrix ahead = Complex(hopping) * (spin_identity() - Complex(sign) * gamma_matrix(mu));
    const SpinMatrix behind = Complex(hopping) * (spin_identity() + Complex(sign) * gamma_matrix(mu));
    for (int n = 0; n < u.volume(); ++n) {
      const Site x = u.site(n);
      const Complex out = x[mu] == u.size[mu] - 1 ? turn : 1.0;
      const Complex in = x[mu] == 0 ? std::conj(turn) : 1.0;
      const Spinor& next = psi[u.index(shift(x, mu))];
      const Spinor& last = psi[u.index(shift(x, mu, -1))];
      result[n] = result[n] + out * (ahead * (u.link(x, mu) * next)) +
                  in * (behind * (adjoint(u.link(shift(x, mu, -1), mu)) * last));
    }
  }
  return where_quarks_are(m, result);
}

DenseVector dense(const Spinor& a) { return DenseVector(a.begin(), a.end()); }

Spinor spinor(const DenseVector& a) {
  Spinor b;
  for (int k = 0; k < 12; ++k) b[k] = a.at(k);
  return b;
}

SpinorField even(const WilsonMatrix& m, const SpinorField& psi) { return part(m.links.size, psi, SiteParity::even); }
SpinorField odd(const WilsonMatrix& m, const SpinorField& psi) { return part(m.links.size, psi, SiteParity::odd); }

}  // namespace

Matrix clover_field_strength(const GaugeConfiguration& u, const Site& x, int mu, int nu) {
  const Path leaves[] = {
      forward(mu) + forward(nu) + backward(mu) + backward(nu), forward(nu) + backward(mu) + backward(nu) + forward(mu),
      backward(mu) + backward(nu) + forward(mu) + forward(nu), backward(nu) + forward(mu) + forward(nu) + backward(mu)};
  Matrix q{};
  for (const Path& leaf : leaves) q = q + path_product(u, x, leaf);
  return Complex(0.125) * (q - adjoint(q));
}

DenseMatrix clover_matrix(const GaugeConfiguration& u, const WilsonQuark& quark, const Site& x) {
  DenseMatrix a = dense_identity(12);
  if (!quark.on_slice(x[3])) return a;
  for (const int edge : {quark.first_slice, quark.last_slice})
    if (x[3] == edge && quark.last_slice >= quark.first_slice)
      for (int row = 0; row < 12; ++row) a(row, row) += 2 * quark.kappa * (quark.c_f - 1);
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      const double c = nu == 3 ? quark.clover_temporal : quark.clover;
      if (c == 0.0) continue;
      const Matrix f = clover_field_strength(u, x, mu, nu);
      const SpinMatrix s = sigma(mu, nu);
      for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
          a(row, column) += Complex(0.0, quark.kappa * c) * s(row / 3, column / 3) * f(row % 3, column % 3);
    }
  return a;
}

WilsonMatrix::WilsonMatrix(const GaugeConfiguration& u, const WilsonQuark& parameters) : links(u), quark(parameters) {
  for (int n = 0; n < u.volume(); ++n) clover.push_back(clover_matrix(u, quark, u.site(n)));
}

SpinorField apply_d(const WilsonMatrix& m, const SpinorField& psi) { return hops(m, psi, 1.0); }

SpinorField apply_d_adjoint(const WilsonMatrix& m, const SpinorField& psi) { return hops(m, psi, -1.0); }

SpinorField apply_clover(const WilsonMatrix& m, const SpinorField& psi) {
  require_valid(m, psi);
  SpinorField result(psi.size());
  for (std::size_t n = 0; n < psi.size(); ++n) result[n] = spinor(m.clover[n] * dense(psi[n]));
  return result;
}

SpinorField apply_clover_inverse(const WilsonMatrix& m, const SpinorField& psi) {
  require_valid(m, psi);
  SpinorField result(psi.size());
  for (std::size_t n = 0; n < psi.size(); ++n) result[n] = spinor(solve(lu_decomposition(m.clover[n]), dense(psi[n])));
  return result;
}

SpinorField apply_m(const WilsonMatrix& m, const SpinorField& psi) {
  return apply_clover(m, psi) - m.quark.kappa * apply_d(m, psi);
}

SpinorField apply_m_adjoint(const WilsonMatrix& m, const SpinorField& psi) {
  return apply_clover(m, psi) - m.quark.kappa * apply_d_adjoint(m, psi);
}

SpinorField part(const Site& size, const SpinorField& psi, SiteParity parity) {
  for (const int extent : size)
    if (extent % 2 != 0) fail_input("even and odd sites on an extent of {}; it must be even", extent);
  const GaugeConfiguration lattice(size);
  SpinorField result = zero_spinors(size);
  for (int n = 0; n < lattice.volume(); ++n) {
    const Site x = lattice.site(n);
    const bool is_even = (x[0] + x[1] + x[2] + x[3]) % 2 == 0;
    if (is_even == (parity == SiteParity::even)) result[n] = psi.at(n);
  }
  return result;
}

SpinorField apply_mhat(const WilsonMatrix& m, const SpinorField& psi) {
  const SpinorField x = even(m, psi);
  const double kappa = m.quark.kappa;
  return apply_clover(m, x) - kappa * kappa * apply_d(m, apply_clover_inverse(m, apply_d(m, x)));
}

SpinorField apply_mhat_adjoint(const WilsonMatrix& m, const SpinorField& psi) {
  const SpinorField x = even(m, psi);
  const double kappa = m.quark.kappa;
  return apply_clover(m, x) - kappa * kappa * apply_d_adjoint(m, apply_clover_inverse(m, apply_d_adjoint(m, x)));
}

SpinorField even_right_hand_side(const WilsonMatrix& m, const SpinorField& b) {
  return even(m, b) + m.quark.kappa * apply_d(m, apply_clover_inverse(m, odd(m, b)));
}

SpinorField reconstruct(const WilsonMatrix& m, const SpinorField& x_even, const SpinorField& b) {
  const SpinorField x = even(m, x_even);
  return x + apply_clover_inverse(m, odd(m, b) + m.quark.kappa * apply_d(m, x));
}

}  // namespace trellis::reference
