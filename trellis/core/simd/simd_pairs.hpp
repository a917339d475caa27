// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lanes in pairs, as in interleaved complex numbers. Every register is handled separately: it holds an even number of
// lanes.

#include <utility>

#include "trellis/core/simd.hpp"

namespace trellis {

namespace simd_detail {
template <int Mask, int Bit, class T, int W, int... L>
TRELLIS_INLINE simd<T, W> from_pairs(const simd<T, W>& a, std::integer_sequence<int, L...>) {
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i)
    c.r[i] = backend::shuffle<T, simd<T, W>::native, ((L & Mask) ^ Bit)...>(a.r[i], a.r[i]);
  return c;
}
template <int Odd, class T, int W, int... L>
TRELLIS_INLINE simd<T, W> negate_in_pairs(const simd<T, W>& a, std::integer_sequence<int, L...>) {
  using I = typename simd<T, W>::integer;
  using bits = typename simd_mask<T, W>::bits::register_type;
  constexpr bits sign = {((L & 1) == Odd ? std::numeric_limits<I>::min() : I(0))...};
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i)
    c.r[i] = reinterpret_cast<typename simd<T, W>::register_type>(reinterpret_cast<bits>(a.r[i]) ^ sign);
  return c;
}
template <class T, int W, int... L>
TRELLIS_INLINE simd<T, W> alternate(const simd<T, W>& a, const simd<T, W>& b, std::integer_sequence<int, L...>) {
  constexpr int n = simd<T, W>::native;
  simd<T, W> c;
  for (int i = 0; i < simd<T, W>::registers; ++i)
    c.r[i] = backend::shuffle<T, n, ((L & 1) == 0 ? L : n + L)...>(a.r[i], b.r[i]);
  return c;
}
}  // namespace simd_detail

// (a1, a0, a3, a2, ...)
template <class T, int W>
TRELLIS_INLINE simd<T, W> exchange_pairs(const simd<T, W>& a) {
  return simd_detail::from_pairs<-1, 1>(a, std::make_integer_sequence<int, simd<T, W>::native>{});
}
// (a0, a0, a2, a2, ...)
template <class T, int W>
TRELLIS_INLINE simd<T, W> double_even(const simd<T, W>& a) {
  return simd_detail::from_pairs<-2, 0>(a, std::make_integer_sequence<int, simd<T, W>::native>{});
}
// (a1, a1, a3, a3, ...)
template <class T, int W>
TRELLIS_INLINE simd<T, W> double_odd(const simd<T, W>& a) {
  return simd_detail::from_pairs<-2, 1>(a, std::make_integer_sequence<int, simd<T, W>::native>{});
}
// (a0, b1, a2, b3, ...)
template <class T, int W>
TRELLIS_INLINE simd<T, W> alternate(const simd<T, W>& a, const simd<T, W>& b) {
  return simd_detail::alternate(a, b, std::make_integer_sequence<int, simd<T, W>::native>{});
}
// (-a0, a1, -a2, a3, ...)
template <class T, int W>
TRELLIS_INLINE simd<T, W> negate_even(const simd<T, W>& a) {
  return simd_detail::negate_in_pairs<0>(a, std::make_integer_sequence<int, simd<T, W>::native>{});
}
// (a0, -a1, a2, -a3, ...)
template <class T, int W>
TRELLIS_INLINE simd<T, W> negate_odd(const simd<T, W>& a) {
  return simd_detail::negate_in_pairs<1>(a, std::make_integer_sequence<int, simd<T, W>::native>{});
}

}  // namespace trellis
