// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// W complex numbers whose real and imaginary parts take turns in 2 W lanes, as Fortran stores them. A product needs
// lanes doubled and exchanged, four more instructions than in complex<simd<T, W>>; every operation has the bits of its
// namesake there.

#include "trellis/core/complex.hpp"

namespace trellis {

template <class T, int W>
struct interleaved_complex {
  static_assert(W >= 2, "one complex number is complex<T>");
  using lanes = simd<T, 2 * W>;
  lanes v;

  interleaved_complex() = default;
  TRELLIS_INLINE explicit interleaved_complex(const lanes& both) : v(both) {}
};

template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> operator+(const interleaved_complex<T, W>& a,
                                                   const interleaved_complex<T, W>& b) {
  return interleaved_complex<T, W>(a.v + b.v);
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> operator-(const interleaved_complex<T, W>& a,
                                                   const interleaved_complex<T, W>& b) {
  return interleaved_complex<T, W>(a.v - b.v);
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> times_i(const interleaved_complex<T, W>& a) {
  return interleaved_complex<T, W>(negate_even(exchange_pairs(a.v)));
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> conj(const interleaved_complex<T, W>& a) {
  return interleaved_complex<T, W>(negate_odd(a.v));
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> add_i(const interleaved_complex<T, W>& a, const interleaved_complex<T, W>& b) {
  return a + times_i(b);
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> subtract_i(const interleaved_complex<T, W>& a,
                                                    const interleaved_complex<T, W>& b) {
  return a - times_i(b);
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> operator*(const interleaved_complex<T, W>& a,
                                                   const interleaved_complex<T, W>& b) {
  return interleaved_complex<T, W>(fma(double_odd(a.v), times_i(b).v, double_even(a.v) * b.v));
}
// c + a b
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> fma(const interleaved_complex<T, W>& a, const interleaved_complex<T, W>& b,
                                             const interleaved_complex<T, W>& c) {
  return interleaved_complex<T, W>(fma(double_odd(a.v), times_i(b).v, fma(double_even(a.v), b.v, c.v)));
}

}  // namespace trellis
