// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the numbers of one vector are at a site, for the functions of core/simd.hpp and core/complex.hpp.
// Number k is numbers[k / 2 * apart + k % 2], and pairs are aligned to their size. S is a type of one lane.

#include "trellis/core/backend/thread.hpp"
#include "trellis/core/complex.hpp"

namespace trellis {

template <class T>
struct PairsApart {
  T* numbers;
  int apart;  // numbers from one pair to the next

  TRELLIS_INLINE T* pair(int k) const { return numbers + k * apart; }
  TRELLIS_INLINE T& operator[](int k) const { return pair(k / 2)[k % 2]; }
};

namespace place_detail {
template <class T>
struct alignas(2 * sizeof(T)) Pair {
  T first, second;
};
}  // namespace place_detail

template <class S, class T>
TRELLIS_INLINE S load_part(const PairsApart<T>& p, int k) {
  return p[k];
}
template <class S, class T>
TRELLIS_INLINE void store_part(const PairsApart<T>& p, int k, const S& v) {
  p[k] = v;
}
template <class S, class T>
TRELLIS_INLINE complex<S> load_complex(const PairsApart<T>& p, int k) {
  const auto pair = *reinterpret_cast<const place_detail::Pair<T>*>(p.pair(k));
  return {pair.first, pair.second};
}
template <class S, class T>
TRELLIS_INLINE void store_complex(const PairsApart<T>& p, int k, const complex<S>& a) {
  *reinterpret_cast<place_detail::Pair<T>*>(p.pair(k)) = {a.re, a.im};
}
// Like load_neighbours; `streaming`: bypasses the caches.
template <bool Aligned, class S, int N, class T>
TRELLIS_INLINE void store_neighbours(const PairsApart<T>& p, int k, const complex<S> (&numbers)[N], bool streaming) {
  constexpr int at_once = Aligned && N % 2 == 0 && sizeof(T) == 4 ? 2 : 1;
  struct alignas(at_once * 2 * sizeof(T)) Part {
    T values[2 * at_once];
  };
  auto* const parts = reinterpret_cast<Part*>(p.pair(k));
  for (int i = 0; i < N / at_once; ++i) {
    Part part;
    for (int n = 0; n < at_once; ++n) {
      part.values[2 * n] = numbers[i * at_once + n].re;
      part.values[2 * n + 1] = numbers[i * at_once + n].im;
    }
    if (streaming)
      backend::store_past_caches(parts + i, part);
    else
      parts[i] = part;
  }
}
template <class S, class T>
TRELLIS_INLINE void stream_complex(const PairsApart<T>& p, int k, const complex<S>& a) {
  backend::store_past_caches(reinterpret_cast<place_detail::Pair<T>*>(p.pair(k)), place_detail::Pair<T>{a.re, a.im});
}
// Complex number k of N vectors side by side, beginning with this one. Aligned: the count of vectors and the number of
// the first one allow loads of as much as fits into 16 bytes.
template <bool Aligned, class S, int N, class T>
TRELLIS_INLINE void load_neighbours(const PairsApart<T>& p, int k, complex<S> (&numbers)[N]) {
  constexpr int at_once = Aligned && N % 2 == 0 && sizeof(T) == 4 ? 2 : 1;
  struct alignas(at_once * 2 * sizeof(T)) Part {
    T values[2 * at_once];
  };
  const auto* const parts = reinterpret_cast<const Part*>(p.pair(k));
  for (int i = 0; i < N / at_once; ++i) {
    const Part part = parts[i];
    for (int n = 0; n < at_once; ++n) numbers[i * at_once + n] = {part.values[2 * n], part.values[2 * n + 1]};
  }
}
template <bool Aligned, int N>
TRELLIS_INLINE void load_neighbours(const PairsApart<std::int16_t>& p, int k, Int16Pair (&numbers)[N]) {
  constexpr int at_once = !Aligned ? 1 : N % 4 == 0 ? 4 : N % 2 == 0 ? 2 : 1;
  struct alignas(at_once * 4) Part {
    Int16Pair values[at_once];
  };
  const auto* const parts = reinterpret_cast<const Part*>(p.pair(k));
  for (int i = 0; i < N / at_once; ++i) {
    const Part part = parts[i];
    for (int n = 0; n < at_once; ++n) numbers[i * at_once + n] = part.values[n];
  }
}
template <class S>
TRELLIS_INLINE S load_int16(const PairsApart<std::int16_t>& p, int k) {
  return float(p[k]);
}
template <class S>
TRELLIS_INLINE void store_int16(const PairsApart<std::int16_t>& p, int k, const S& v) {
  p[k] = nearest_int16(v);
}
template <class S>
TRELLIS_INLINE complex<S> load_complex_int16(const PairsApart<std::int16_t>& p, int k) {
  return Int16Pair{*reinterpret_cast<const std::uint32_t*>(p.pair(k))}.template numbers<complex<S>>();
}

}  // namespace trellis
