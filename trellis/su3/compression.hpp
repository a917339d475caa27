// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// SU(3) links in 12 or 8 real numbers, and links in U(3) times a number in 14. 12: the first two rows; the third is
// rebuilt as conj(row 0 x row 1), 42 flops, exact to rounding. 14: these, and what that third row is multiplied by. 8
// (after Bunk and Sommer, Comput. Phys. Commun. 40 (1986) 229): elements u00, u01, u12 and the phases of u02 and u22.
// The phases are stored as "diamond angles", so that only square roots are needed. The map is singular where |u02| = 1,
// so not at the unit matrix; errors grow as 1 / (|u00|^2 + |u01|^2).

#include "trellis/su3/projection.hpp"

namespace trellis {

template <class S>
TRELLIS_INLINE void compress12(const Matrix<S>& u, S out[12]) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      out[2 * (3 * i + j)] = u.e[i][j].re;
      out[2 * (3 * i + j) + 1] = u.e[i][j].im;
    }
}
template <class S>
TRELLIS_INLINE Matrix<S> reconstruct12(const S in[12]) {
  Matrix<S> u;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) u.e[i][j] = {in[2 * (3 * i + j)], in[2 * (3 * i + j) + 1]};
  complete_third_row(u);
  return u;
}

// The f of the third row f conj(row 0 x row 1) of a matrix in U(3) times a number, which is det / |det|^(4/3); for any
// other matrix the f that fits best. Zero if the cross product is.
template <class S>
TRELLIS_INLINE complex<S> third_row_factor(const Matrix<S>& u) {
  using T = scalar_t<S>;
  Matrix<S> v = u;
  complete_third_row(v);
  complex<S> product = conj(v.e[2][0]) * u.e[2][0];
  S size = norm(v.e[2][0]);
  for (int j = 1; j < 3; ++j) {
    product = product + conj(v.e[2][j]) * u.e[2][j];
    size = size + norm(v.e[2][j]);
  }
  const S inverse = S(T(1)) / select(size > S(T(0)), size, S(T(1)));
  return inverse * product;
}

namespace su3_detail {
// The angle of z in (-2, 2]: im / (|re| + |im|) on the right half-plane, continued to the left.
template <class S>
TRELLIS_INLINE S diamond_angle(const complex<S>& z) {
  using T = scalar_t<S>;
  const S zero = S(T(0)), two = S(T(2));
  const S sum = abs(z.re) + abs(z.im);
  const S a = z.im / select(sum > zero, sum, S(T(1)));
  return select(z.re < zero, select(z.im < zero, -two - a, two - a), a);
}
// The unit complex number with that angle.
template <class S>
TRELLIS_INLINE complex<S> from_diamond_angle(const S& a) {
  using T = scalar_t<S>;
  const S one = S(T(1)), two = S(T(2));
  const S re = one - abs(a);
  const S im = select(a > one, two - a, select(a < -one, -two - a, a));
  const S inverse = one / sqrt(fma(re, re, im * im));
  return {inverse * re, inverse * im};
}
template <class S>
TRELLIS_INLINE S root_of_positive_part(const S& x) {
  const S zero = S(scalar_t<S>(0));
  return sqrt(select(x > zero, x, zero));
}
}  // namespace su3_detail

// With columns in the order (2, 0, 1), which preserves the determinant: a = row 0, b1 = u12, c1 = u22.
template <class S>
TRELLIS_INLINE void compress8(const Matrix<S>& u, S out[8]) {
  out[0] = u.e[0][0].re;
  out[1] = u.e[0][0].im;
  out[2] = u.e[0][1].re;
  out[3] = u.e[0][1].im;
  out[4] = u.e[1][2].re;
  out[5] = u.e[1][2].im;
  out[6] = su3_detail::diamond_angle(u.e[0][2]);
  out[7] = su3_detail::diamond_angle(u.e[2][2]);
}
template <class S>
TRELLIS_INLINE Matrix<S> reconstruct8(const S in[8]) {
  using T = scalar_t<S>;
  const S one = S(T(1));
  const complex<S> a2{in[0], in[1]}, a3{in[2], in[3]}, b1{in[4], in[5]};
  const S n = norm(a2) + norm(a3);
  const S a1_size = su3_detail::root_of_positive_part(one - n);
  const complex<S> a1 = a1_size * su3_detail::from_diamond_angle(in[6]);
  const S c1_size = su3_detail::root_of_positive_part(n - norm(b1));
  const complex<S> c1 = c1_size * su3_detail::from_diamond_angle(in[7]);
  // conj(a2) b2 + conj(a3) b3 = -conj(a1) b1 and a2 b3 - a3 b2 = conj(c1)
  const S inverse = one / n;
  const complex<S> along = -multiply_conj(a1, b1);
  const complex<S> b2 = inverse * (a2 * along - conj(a3 * c1));
  const complex<S> b3 = inverse * (a3 * along + conj(a2 * c1));
  Matrix<S> u;
  u.e[0][2] = a1;
  u.e[0][0] = a2;
  u.e[0][1] = a3;
  u.e[1][2] = b1;
  u.e[1][0] = b2;
  u.e[1][1] = b3;
  complete_third_row(u);
  return u;
}

}  // namespace trellis
