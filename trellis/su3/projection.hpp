// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Back to SU(3): reunitarise() removes rounding errors (Gram-Schmidt on the first two rows, the third from them), and
// is_reunitarised() recognises its results; project_polar() finds the SU(3) matrix U that maximises Re tr(U^dagger M)
// up to a phase (unitary part of the polar decomposition, divided by the principal cube root of its determinant).
// reunitarise() makes zeros of a matrix of zeros, without signs: links that do not exist at open boundaries are stored
// so. unitarity_violation() measures the deviation.

#include <limits>

#include "trellis/su3/matrix.hpp"
#include "trellis/su3/unitarisation.hpp"

namespace trellis {

inline constexpr double project_polar_flops = 2200;

// Third row of an SU(3) matrix from the first two: conj(row 0 x row 1).
template <class S>
TRELLIS_INLINE void complete_third_row(Matrix<S>& u) {
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    const complex<S> c = u.e[0][k] * u.e[1][l] - u.e[0][l] * u.e[1][k];
    u.e[2][j] = conj(c);
  }
}

template <class S>
TRELLIS_INLINE Matrix<S> reunitarise(const Matrix<S>& m) {
  using T = scalar_t<S>;
  Matrix<S> u;
  const S length0 = sqrt(norm(m.e[0][0]) + norm(m.e[0][1]) + norm(m.e[0][2]));
  const S one = S(T(1)), zero = S(T(0));
  const mask_t<S> exists = length0 > zero;
  const S inverse0 = one / select(exists, length0, one);
  for (int j = 0; j < 3; ++j) u.e[0][j] = inverse0 * m.e[0][j];
  complex<S> overlap = multiply_conj(u.e[0][0], m.e[1][0]);
  overlap = fma_conj(u.e[0][1], m.e[1][1], overlap);
  overlap = fma_conj(u.e[0][2], m.e[1][2], overlap);
  for (int j = 0; j < 3; ++j) u.e[1][j] = m.e[1][j] - overlap * u.e[0][j];
  const S length1 = sqrt(norm(u.e[1][0]) + norm(u.e[1][1]) + norm(u.e[1][2]));
  const S inverse1 = one / select(length1 > zero, length1, one);
  for (int j = 0; j < 3; ++j) u.e[1][j] = inverse1 * u.e[1][j];
  complete_third_row(u);
  if (!all(exists))  // the third row has -0
    for (auto& row : u.e)
      for (auto& element : row) element = select(exists, element, complex<S>{zero, zero});
  return u;
}

// reunitarise(m) if Unitary, else m.
template <bool Unitary, class S>
TRELLIS_INLINE Matrix<S> reunitarise_if(const Matrix<S>& m) {
  if constexpr (Unitary)
    return reunitarise(m);
  else
    return m;
}

// True if the third row is exactly what the first two give, and those are orthonormal up to rounding: what
// reunitarise() returns for a matrix near SU(3). Any other matrix near SU(3) differs in the last digits of that row.
template <class S>
TRELLIS_INLINE mask_t<S> is_reunitarised(const Matrix<S>& u) {
  using T = scalar_t<S>;
  Matrix<S> completed = u;
  complete_third_row(completed);
  const S length0 = norm(u.e[0][0]) + norm(u.e[0][1]) + norm(u.e[0][2]);
  const S length1 = norm(u.e[1][0]) + norm(u.e[1][1]) + norm(u.e[1][2]);
  complex<S> overlap = multiply_conj(u.e[0][0], u.e[1][0]);
  overlap = fma_conj(u.e[0][1], u.e[1][1], overlap);
  overlap = fma_conj(u.e[0][2], u.e[1][2], overlap);
  const S zero = S(T(0)), one = S(T(1));
  const S violation = (length0 - one) * (length0 - one) + (length1 - one) * (length1 - one) + norm(overlap);
  constexpr T rounding = T(64) * std::numeric_limits<T>::epsilon();
  auto yes = violation < S(rounding * rounding);
  for (int j = 0; j < 3; ++j) {
    const complex<S> difference = u.e[2][j] - completed.e[2][j];
    yes = yes & (difference.re <= zero) & (difference.re >= zero) & (difference.im <= zero) & (difference.im >= zero);
  }
  return yes;
}

// Largest |(U U^dagger - 1)_ij|^2 plus |det U - 1|^2: zero for SU(3).
template <class S>
TRELLIS_INLINE S unitarity_violation(const Matrix<S>& u) {
  using T = scalar_t<S>;
  const Matrix<S> d = multiply_adjoint(u, u) - Matrix<S>::one();
  S largest = S(T(0));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const S n = norm(d.e[i][j]);
      largest = select(n > largest, n, largest);
    }
  return largest + norm(determinant(u) - complex<S>(S(T(1))));
}

// M must not be singular.
template <class S>
TRELLIS_INLINE Matrix<S> project_polar(const Matrix<S>& m) {
  using T = scalar_t<S>;
  const S one = S(T(1)), zero = S(T(0));
  Matrix<S> x = unitary_part(m).w;
  // det x = e^(i t): the cosine c of t/3 solves 4 c^3 - 3 c = cos t, 1/2 <= c <= 1. Newton's iteration falls towards it
  // from 1, quadratically unless t is near pi, until rounding errors end the fall.
  const complex<S> d = determinant(x);
  S c = one;
  for (int step = 0; step < 60; ++step) {
    const S slope = fma(S(T(12)) * c, c, S(T(-3)));
    const S value = fma(fma(S(T(4)) * c, c, S(T(-3))), c, -d.re);
    const S next = c - value / slope;
    const auto falls = (slope > S(T(1e-7))) & (next < c);
    if (!any(falls)) break;
    c = select(falls, next, c);
  }
  const S rest = one - c * c;
  S s = sqrt(select(rest > zero, rest, zero));
  // Near t = 0 the square root loses digits, but sin t = s (4 c^2 - 1) does not.
  const S factor = fma(S(T(4)) * c, c, S(T(-1)));
  s = select(factor > one, d.im / factor, select(d.im < zero, -s, s));
  const complex<S> phase{c, -s};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) x.e[i][j] = phase * x.e[i][j];
  return reunitarise(x);
}

}  // namespace trellis
