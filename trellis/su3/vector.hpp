// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Colour vectors in registers, and their products with matrices. A matrix times a vector is 36 fused multiply-adds (66
// flops by the usual count); each element is one chain in the fixed order k = 0, 1, 2.

#include "trellis/su3/matrix.hpp"

namespace trellis {

template <class S>
struct ColourVector {
  complex<S> e[3];

  TRELLIS_INLINE static ColourVector zero() {
    ColourVector v;
    for (int i = 0; i < 3; ++i) v.e[i] = complex<S>(S(scalar_t<S>(0)));
    return v;
  }
};

template <class S>
TRELLIS_INLINE ColourVector<S> operator+(const ColourVector<S>& a, const ColourVector<S>& b) {
  ColourVector<S> c;
  for (int i = 0; i < 3; ++i) c.e[i] = a.e[i] + b.e[i];
  return c;
}
template <class S>
TRELLIS_INLINE ColourVector<S> operator*(const S& s, const ColourVector<S>& a) {
  ColourVector<S> c;
  for (int i = 0; i < 3; ++i) c.e[i] = s * a.e[i];
  return c;
}
template <class S>
TRELLIS_INLINE ColourVector<S> operator*(const complex<S>& s, const ColourVector<S>& a) {
  ColourVector<S> c;
  for (int i = 0; i < 3; ++i) c.e[i] = s * a.e[i];
  return c;
}
// c + s a, s real
template <class S>
TRELLIS_INLINE ColourVector<S> fma(const S& s, const ColourVector<S>& a, const ColourVector<S>& c) {
  ColourVector<S> d;
  for (int i = 0; i < 3; ++i) d.e[i] = fma(s, a.e[i], c.e[i]);
  return d;
}
// m v
template <class S>
TRELLIS_INLINE ColourVector<S> operator*(const Matrix<S>& m, const ColourVector<S>& v) {
  ColourVector<S> c;
  for (int i = 0; i < 3; ++i) c.e[i] = fma(m.e[i][2], v.e[2], fma(m.e[i][1], v.e[1], m.e[i][0] * v.e[0]));
  return c;
}
// c + m v
template <class S>
TRELLIS_INLINE ColourVector<S> multiply_add(const Matrix<S>& m, const ColourVector<S>& v, const ColourVector<S>& c) {
  ColourVector<S> d;
  for (int i = 0; i < 3; ++i) d.e[i] = fma(m.e[i][2], v.e[2], fma(m.e[i][1], v.e[1], fma(m.e[i][0], v.e[0], c.e[i])));
  return d;
}
// Re (a^dagger b)
template <class S>
TRELLIS_INLINE S real_dot(const ColourVector<S>& a, const ColourVector<S>& b) {
  S sum = a.e[0].re * b.e[0].re;
  sum = fma(a.e[0].im, b.e[0].im, sum);
  for (int i = 1; i < 3; ++i) sum = fma(a.e[i].im, b.e[i].im, fma(a.e[i].re, b.e[i].re, sum));
  return sum;
}
// Im (a^dagger b)
template <class S>
TRELLIS_INLINE S imaginary_dot(const ColourVector<S>& a, const ColourVector<S>& b) {
  S sum = a.e[0].re * b.e[0].im;
  sum = negated_fma(a.e[0].im, b.e[0].re, sum);
  for (int i = 1; i < 3; ++i) sum = negated_fma(a.e[i].im, b.e[i].re, fma(a.e[i].re, b.e[i].im, sum));
  return sum;
}
// m + a b^dagger
template <class S>
TRELLIS_INLINE Matrix<S> add_outer_product(const ColourVector<S>& a, const ColourVector<S>& b, const Matrix<S>& m) {
  Matrix<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = fma_conj(b.e[j], a.e[i], m.e[i][j]);
  return c;
}
template <class S>
TRELLIS_INLINE ColourVector<S> permute(ColourVector<S> a, const std::int32_t* from) {
  for (complex<S>& x : a.e) x = permute(x, from);
  return a;
}
template <class To, class S>
TRELLIS_INLINE ColourVector<lanes_t<To, lane_count<S>>> convert(const ColourVector<S>& a) {
  ColourVector<lanes_t<To, lane_count<S>>> c;
  for (int i = 0; i < 3; ++i) c.e[i] = {convert<To>(a.e[i].re), convert<To>(a.e[i].im)};
  return c;
}

}  // namespace trellis
