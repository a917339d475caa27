// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Lie algebra su(3): H = sum_a p_a T_a with T_a = lambda_a / 2 (Gell-Mann), tr T_a T_b = delta_ab / 2, so that
// tr H^2 = 1/2 sum_a p_a^2. p[0..7] are p_1..p_8.

#include "trellis/su3/matrix.hpp"

namespace trellis {

template <class S>
struct Algebra {
  S p[8];

  TRELLIS_INLINE static Algebra zero() {
    Algebra a;
    for (int k = 0; k < 8; ++k) a.p[k] = S(scalar_t<S>(0));
    return a;
  }
};

namespace su3_detail {
inline constexpr double inverse_sqrt3 = 0.57735026918962576451;
}

// The Hermitian traceless matrix sum_a p_a T_a.
template <class S>
TRELLIS_INLINE Matrix<S> to_matrix(const Algebra<S>& a) {
  using T = scalar_t<S>;
  const S half = S(T(0.5)), zero = S(T(0));
  const S eighth = S(T(0.5 * su3_detail::inverse_sqrt3)) * a.p[7];
  Matrix<S> h;
  // Explicit multiply-adds (half p_3 is exact): for scalars side by side, g++ 12 turns x y +- z of a sum and a
  // difference into one instruction that rounds once, despite -ffp-contract=off.
  h.e[0][0] = {fma(half, a.p[2], eighth), zero};
  h.e[1][1] = {negated_fma(half, a.p[2], eighth), zero};
  h.e[2][2] = {S(T(-2)) * eighth, zero};
  h.e[0][1] = {half * a.p[0], -(half * a.p[1])};
  h.e[0][2] = {half * a.p[3], -(half * a.p[4])};
  h.e[1][2] = {half * a.p[5], -(half * a.p[6])};
  h.e[1][0] = conj(h.e[0][1]);
  h.e[2][0] = conj(h.e[0][2]);
  h.e[2][1] = conj(h.e[1][2]);
  return h;
}

// Im tr(T_a W) for a = 1..8: minus the derivative of Re tr(exp(i w_a T_a) W) at w = 0.
template <class S>
TRELLIS_INLINE Algebra<S> imaginary_trace(const Matrix<S>& w) {
  using T = scalar_t<S>;
  const S half = S(T(0.5));
  Algebra<S> a;
  a.p[0] = half * (w.e[1][0].im + w.e[0][1].im);
  a.p[1] = half * (w.e[0][1].re - w.e[1][0].re);
  a.p[2] = half * (w.e[0][0].im - w.e[1][1].im);
  a.p[3] = half * (w.e[2][0].im + w.e[0][2].im);
  a.p[4] = half * (w.e[0][2].re - w.e[2][0].re);
  a.p[5] = half * (w.e[2][1].im + w.e[1][2].im);
  a.p[6] = half * (w.e[1][2].re - w.e[2][1].re);
  a.p[7] = S(T(0.5 * su3_detail::inverse_sqrt3)) * (w.e[0][0].im + w.e[1][1].im - (w.e[2][2].im + w.e[2][2].im));
  return a;
}

// The Hermitian traceless part of W: p_a = 2 Re tr(T_a W).
template <class S>
TRELLIS_INLINE Algebra<S> hermitian_part(const Matrix<S>& w) {
  using T = scalar_t<S>;
  Algebra<S> a;
  a.p[0] = w.e[1][0].re + w.e[0][1].re;
  a.p[1] = w.e[1][0].im - w.e[0][1].im;
  a.p[2] = w.e[0][0].re - w.e[1][1].re;
  a.p[3] = w.e[2][0].re + w.e[0][2].re;
  a.p[4] = w.e[2][0].im - w.e[0][2].im;
  a.p[5] = w.e[2][1].re + w.e[1][2].re;
  a.p[6] = w.e[2][1].im - w.e[1][2].im;
  a.p[7] = S(T(su3_detail::inverse_sqrt3)) * (w.e[0][0].re + w.e[1][1].re - (w.e[2][2].re + w.e[2][2].re));
  return a;
}

// sum_a p_a^2 = 2 tr H^2
template <class S>
TRELLIS_INLINE S norm(const Algebra<S>& a) {
  S sum = a.p[0] * a.p[0];
  for (int i = 1; i < 8; ++i) sum = fma(a.p[i], a.p[i], sum);
  return sum;
}

template <class S>
TRELLIS_INLINE Algebra<S> operator+(const Algebra<S>& x, const Algebra<S>& y) {
  Algebra<S> z;
  for (int i = 0; i < 8; ++i) z.p[i] = x.p[i] + y.p[i];
  return z;
}
template <class S>
TRELLIS_INLINE Algebra<S> operator-(const Algebra<S>& x, const Algebra<S>& y) {
  Algebra<S> z;
  for (int i = 0; i < 8; ++i) z.p[i] = x.p[i] - y.p[i];
  return z;
}
// y + s x
template <class S>
TRELLIS_INLINE Algebra<S> fma(const S& s, const Algebra<S>& x, const Algebra<S>& y) {
  Algebra<S> z;
  for (int i = 0; i < 8; ++i) z.p[i] = fma(s, x.p[i], y.p[i]);
  return z;
}

}  // namespace trellis
