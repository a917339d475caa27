// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The four plaquette leaves around a site in registers, for the topological charge and the clover term of Wilson
// quarks.

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Q1, Q2, Q3, Q4 are the plaquettes that start and end at x and turn from mu to nu: (mu, nu), (nu, -mu), (-mu, -nu),
// (-nu, mu). Returns Q2 + Q4 - (Q1 + Q3)^dagger, whose anti-Hermitian part is that of the sum of the leaves: two leaves
// that begin and end with the same link are added before they are multiplied by it. Ten products. Links have link(Hop,
// direction), a matrix over lanes S, and neighbours: GaugeAccess, or a type that converts.
template <class S, class Links>
TRELLIS_INLINE Matrix<S> leaf_difference(const Links& u, int tile, int mu, int nu) {
  const Neighbours& next = u.neighbours;
  const Hop here{tile, 0};
  const Hop right = next(here, mu), up = next(here, nu), left = next(here, backward(mu)),
            down = next(here, backward(nu));
  const Hop left_down = next(left, backward(nu)), right_down = next(right, backward(nu));
  const Matrix<S> along = u.link(here, mu), before = u.link(left, mu);

  // (nu, -mu) minus the adjoint of (mu, nu): both start with U_nu(x).
  const Matrix<S> over = u.link(left, nu) * u.link(next(left, nu), mu);  // x - mu to x + nu
  const Matrix<S> under = along * u.link(right, nu);                     // x to x + mu + nu
  const Matrix<S> above = adjoint_multiply(over, before) - multiply_adjoint(u.link(up, mu), under);
  const Matrix<S> sum = u.link(here, nu) * above;

  // (-nu, mu) minus the adjoint of (-mu, -nu): both start with U_nu(x - nu)^dagger.
  const Matrix<S> far = u.link(down, mu) * u.link(right_down, nu);  // x - nu to x + mu
  const Matrix<S> near = u.link(left_down, nu) * before;            // x - mu - nu to x
  const Matrix<S> below = multiply_adjoint(far, along) - adjoint_multiply(u.link(left_down, mu), near);
  return adjoint_multiply_add(u.link(down, nu), below, sum);
}

// F^a_{mu nu} of F = sum_a F^a T_a at the tile's sites; a loop and its adjoint differ in the sign of Im tr(T_a loop).
template <class T, int W>
TRELLIS_HOST_CALL Algebra<lanes_t<T, W>> field_strength(const GaugeAccess<T, W>& u, int tile, int mu, int nu) {
  using S = lanes_t<T, W>;
  Algebra<S> f = imaginary_trace(leaf_difference<S>(u, tile, mu, nu));
  for (int a = 0; a < 8; ++a) f.p[a] = S(T(0.5)) * f.p[a];
  return f;
}

namespace clover_detail {

template <class S>
TRELLIS_INLINE S product(const Algebra<S>& a, const Algebra<S>& b) {
  S sum = a.p[0] * b.p[0];
  for (int k = 1; k < 8; ++k) sum = fma(a.p[k], b.p[k], sum);
  return sum;
}

}  // namespace clover_detail

// F^a_xy F^a_zt - F^a_xz F^a_yt + F^a_xt F^a_yz
template <class S>
TRELLIS_INLINE S charge_density(const Algebra<S>& xy, const Algebra<S>& xz, const Algebra<S>& xt, const Algebra<S>& yz,
                                const Algebra<S>& yt, const Algebra<S>& zt) {
  using clover_detail::product;
  return product(xy, zt) - product(xz, yt) + product(xt, yz);
}
// Its sum over all sites is 8 pi^2 Q: tr F G = 1/2 F^a G^a.
inline double charge_of_density_sum(double sum) { return sum * (1.0 / 78.956835208714863691); }

}  // namespace trellis::gauge
