// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// 3 x 3 complex colour matrices in registers, over lanes S. A product takes 108 fused multiply-adds (198 flops by the
// usual count); each element is one chain of fused multiply-adds in a fixed order: k = 0, 1, 2.

#include "trellis/core/complex.hpp"

namespace trellis {

inline constexpr double product_flops = 198;  // of two matrices: 108 multiplications, 90 additions

template <class S>
struct Matrix {
  complex<S> e[3][3];

  TRELLIS_INLINE complex<S>& operator()(int row, int column) { return e[row][column]; }
  TRELLIS_INLINE const complex<S>& operator()(int row, int column) const { return e[row][column]; }

  TRELLIS_INLINE static Matrix zero() {
    Matrix m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m.e[i][j] = complex<S>(S(scalar_t<S>(0)));
    return m;
  }
  TRELLIS_INLINE static Matrix one() {
    Matrix m = zero();
    for (int i = 0; i < 3; ++i) m.e[i][i] = complex<S>(S(scalar_t<S>(1)));
    return m;
  }
};

template <class S>
TRELLIS_INLINE Matrix<S> operator+(const Matrix<S>& a, const Matrix<S>& b) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = a.e[i][j] + b.e[i][j];
  return c;
}
template <class S>
TRELLIS_INLINE Matrix<S> operator-(const Matrix<S>& a, const Matrix<S>& b) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = a.e[i][j] - b.e[i][j];
  return c;
}
template <class S>
TRELLIS_INLINE Matrix<S> operator*(const S& s, const Matrix<S>& a) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = s * a.e[i][j];
  return c;
}
template <class S>
TRELLIS_INLINE Matrix<S> operator*(const complex<S>& s, const Matrix<S>& a) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = s * a.e[i][j];
  return c;
}
// c + s a, s real
template <class S>
TRELLIS_INLINE Matrix<S> fma(const S& s, const Matrix<S>& a, const Matrix<S>& c) {
  Matrix<S> d;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d.e[i][j] = fma(s, a.e[i][j], c.e[i][j]);
  return d;
}
template <class S>
TRELLIS_INLINE Matrix<S> adjoint(const Matrix<S>& a) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = conj(a.e[j][i]);
  return c;
}

// a b
template <class S>
TRELLIS_INLINE Matrix<S> operator*(const Matrix<S>& a, const Matrix<S>& b) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = fma(a.e[i][2], b.e[2][j], fma(a.e[i][1], b.e[1][j], a.e[i][0] * b.e[0][j]));
  return c;
}
// c + a b
template <class S>
TRELLIS_INLINE Matrix<S> multiply_add(const Matrix<S>& a, const Matrix<S>& b, const Matrix<S>& c) {
  Matrix<S> d;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      d.e[i][j] = fma(a.e[i][2], b.e[2][j], fma(a.e[i][1], b.e[1][j], fma(a.e[i][0], b.e[0][j], c.e[i][j])));
  return d;
}
// a b^dagger
template <class S>
TRELLIS_INLINE Matrix<S> multiply_adjoint(const Matrix<S>& a, const Matrix<S>& b) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.e[i][j] = fma_conj(b.e[j][2], a.e[i][2], fma_conj(b.e[j][1], a.e[i][1], multiply_conj(b.e[j][0], a.e[i][0])));
  return c;
}
// c + a b^dagger
template <class S>
TRELLIS_INLINE Matrix<S> multiply_adjoint_add(const Matrix<S>& a, const Matrix<S>& b, const Matrix<S>& c) {
  Matrix<S> d;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      d.e[i][j] =
          fma_conj(b.e[j][2], a.e[i][2], fma_conj(b.e[j][1], a.e[i][1], fma_conj(b.e[j][0], a.e[i][0], c.e[i][j])));
  return d;
}
// a^dagger b
template <class S>
TRELLIS_INLINE Matrix<S> adjoint_multiply(const Matrix<S>& a, const Matrix<S>& b) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.e[i][j] = fma_conj(a.e[2][i], b.e[2][j], fma_conj(a.e[1][i], b.e[1][j], multiply_conj(a.e[0][i], b.e[0][j])));
  return c;
}
// c + a^dagger b
template <class S>
TRELLIS_INLINE Matrix<S> adjoint_multiply_add(const Matrix<S>& a, const Matrix<S>& b, const Matrix<S>& c) {
  Matrix<S> d;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      d.e[i][j] =
          fma_conj(a.e[2][i], b.e[2][j], fma_conj(a.e[1][i], b.e[1][j], fma_conj(a.e[0][i], b.e[0][j], c.e[i][j])));
  return d;
}

template <class S>
TRELLIS_INLINE complex<S> trace(const Matrix<S>& a) {
  return a.e[0][0] + a.e[1][1] + a.e[2][2];
}

// Re tr (a b^dagger): 18 multiply-adds, without forming the product.
template <class S>
TRELLIS_INLINE S real_trace_adjoint(const Matrix<S>& a, const Matrix<S>& b) {
  S sum = a.e[0][0].re * b.e[0][0].re;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (i + j > 0) sum = fma(a.e[i][j].re, b.e[i][j].re, sum);
      sum = fma(a.e[i][j].im, b.e[i][j].im, sum);
    }
  return sum;
}

template <class S>
TRELLIS_INLINE complex<S> determinant(const Matrix<S>& a) {
  const complex<S> m0 = a.e[1][1] * a.e[2][2] - a.e[1][2] * a.e[2][1];
  const complex<S> m1 = a.e[1][2] * a.e[2][0] - a.e[1][0] * a.e[2][2];
  const complex<S> m2 = a.e[1][0] * a.e[2][1] - a.e[1][1] * a.e[2][0];
  return fma(a.e[0][2], m2, fma(a.e[0][1], m1, a.e[0][0] * m0));
}

template <class S, class M>
TRELLIS_INLINE Matrix<S> select(const M& m, const Matrix<S>& yes, const Matrix<S>& no) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = select(m, yes.e[i][j], no.e[i][j]);
  return c;
}

}  // namespace trellis
