// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp(i Q) of a Hermitian traceless Q. By Cayley and Hamilton Q^3 = c1 Q + c0 with c1 = tr Q^2 / 2, c0 = det Q, so the
// Taylor series is a quadratic polynomial in Q whose coefficients follow from Horner's scheme: no eigenvalues, no
// trigonometric functions, no degenerate case. Q is halved k times until its norm is at most 1, and the result squared
// k times; each lane has its own k. Error: a few units of rounding times 2^k.
// About 700 flops when the norm of Q is at most 1.

#include "trellis/su3/matrix.hpp"

namespace trellis {

template <class S>
TRELLIS_INLINE Matrix<S> exp_i(const Matrix<S>& q_in) {
  using T = scalar_t<S>;
  constexpr int terms = sizeof(T) == 8 ? 18 : 11;  // 1/19! < 2^-53, 1/12! < 2^-24
  const S one = S(T(1)), half = S(T(0.5)), zero = S(T(0));

  S norm2 = zero;  // tr Q^2 >= (largest eigenvalue)^2
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) norm2 = norm2 + norm(q_in.e[i][j]);
  S scale = one, halvings = zero;
  int most_halvings = 0;
  for (; most_halvings < 64; ++most_halvings) {
    const auto large = norm2 * scale * scale > one;
    if (!any(large)) break;
    scale = select(large, half * scale, scale);
    halvings = select(large, halvings + one, halvings);
  }
  const Matrix<S> q = scale * q_in;
  const Matrix<S> q2 = q * q;
  const S c1 = half * trace(q2).re;
  const S c0 = determinant(q).re;

  // r0 + r1 Q + r2 Q^2  <-  1 + (i Q / n) (r0 + r1 Q + r2 Q^2), n = terms .. 1
  complex<S> r0(one), r1(zero), r2(zero);
  for (int n = terms; n >= 1; --n) {
    const S inverse = S(T(1.0 / n));
    const complex<S> s0 = c0 * r2, s1 = fma(c1, r2, r0), s2 = r1;
    r0 = {negated_fma(inverse, s0.im, one), inverse * s0.re};
    r1 = {-(inverse * s1.im), inverse * s1.re};
    r2 = {-(inverse * s2.im), inverse * s2.re};
  }
  Matrix<S> e;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      e.e[i][j] = fma(r2, q2.e[i][j], r1 * q.e[i][j]);
      if (i == j) e.e[i][j] += r0;
    }
  for (int k = 0; k < most_halvings; ++k) e = select(halvings > S(T(k)), e * e, e);
  return e;
}

}  // namespace trellis
