// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// W complex numbers whose real and imaginary parts alternate in 2 W lanes, as in Fortran. A product needs lanes
// duplicated and swapped, four more instructions than with complex<simd<T, W>>; every operation gives the same bits as
// its namesake there.

#include "trellis/core/complex.hpp"
#include "trellis/core/simd/simd_pairs.hpp"

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
TRELLIS_INLINE interleaved_complex<T, W> times_minus_i(const interleaved_complex<T, W>& a) {
  return interleaved_complex<T, W>(negate_odd(exchange_pairs(a.v)));
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> operator-(const interleaved_complex<T, W>& a) {
  return interleaved_complex<T, W>(-a.v);
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

// conj(a b - c d)
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> conj_difference(const interleaved_complex<T, W>& a,
                                                         const interleaved_complex<T, W>& b,
                                                         const interleaved_complex<T, W>& c,
                                                         const interleaved_complex<T, W>& d) {
  const auto cd = fma(double_even(c.v), negate_even(d.v), double_odd(c.v) * exchange_pairs(d.v));
  const auto ab = fma(double_even(a.v), negate_odd(b.v), cd);
  return interleaved_complex<T, W>(negated_fma(double_odd(a.v), exchange_pairs(b.v), ab));
}
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> operator*(const simd<T, 2 * W>& s, const interleaved_complex<T, W>& a) {
  return interleaved_complex<T, W>(s * a.v);
}

template <class T, int W>
struct ComplexTraits<interleaved_complex<T, W>> {
  using scalar = T;
  using real = simd<T, 2 * W>;
  static constexpr int width = W;
  static constexpr int table_width = 2 * W;
  static constexpr bool by_threads = false;

  TRELLIS_INLINE static interleaved_complex<T, W> load(const T* p) {
    return interleaved_complex<T, W>(simd<T, 2 * W>::load(p));
  }
  TRELLIS_INLINE static interleaved_complex<T, W> broadcast(const T* p) {
    return interleaved_complex<T, W>(alternate(simd<T, 2 * W>(p[0]), simd<T, 2 * W>(p[1])));
  }
  TRELLIS_INLINE static void store(T* p, const interleaved_complex<T, W>& a) { a.v.store(p); }
  TRELLIS_INLINE static void stream(T* p, const interleaved_complex<T, W>& a) { a.v.stream(p); }
  static constexpr int place(int lane, int part) { return 2 * lane + part; }
};
template <class T, int W>
TRELLIS_INLINE interleaved_complex<T, W> permute(const interleaved_complex<T, W>& a, const std::int32_t* from) {
  return interleaved_complex<T, W>(permute(a.v, from));
}

}  // namespace trellis
