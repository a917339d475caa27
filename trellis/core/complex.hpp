// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Complex numbers over lanes, with real and imaginary parts kept apart ("split"): multiplication then needs only loads
// and fused multiply-adds, no shuffles. Unlike in std::complex, there is no branch for NaN. The order of operations
// below is part of the contract: results are bit-identical for every lane count.

#include "trellis/core/backend/thread.hpp"
#include "trellis/core/simd.hpp"

namespace trellis {

template <class S>
struct complex {
  S re, im;

  complex() = default;
  TRELLIS_INLINE complex(S real) : re(real), im(scalar_t<S>(0)) {}
  TRELLIS_INLINE complex(S real, S imaginary) : re(real), im(imaginary) {}
};

template <class S>
TRELLIS_INLINE complex<S> conj(const complex<S>& a) {
  return {a.re, -a.im};
}
template <class S>
TRELLIS_INLINE complex<S> operator-(const complex<S>& a) {
  return {-a.re, -a.im};
}
template <class S>
TRELLIS_INLINE complex<S> operator+(const complex<S>& a, const complex<S>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class S>
TRELLIS_INLINE complex<S> operator-(const complex<S>& a, const complex<S>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class S>
TRELLIS_INLINE complex<S>& operator+=(complex<S>& a, const complex<S>& b) {
  return a = a + b;
}
template <class S>
TRELLIS_INLINE complex<S>& operator-=(complex<S>& a, const complex<S>& b) {
  return a = a - b;
}
template <class S>
TRELLIS_INLINE complex<S> operator*(const complex<S>& a, const complex<S>& b) {
  return {negated_fma(a.im, b.im, a.re * b.re), fma(a.im, b.re, a.re * b.im)};
}
template <class S>
TRELLIS_INLINE complex<S> operator*(const S& a, const complex<S>& b) {
  return {a * b.re, a * b.im};
}
template <class S>
TRELLIS_INLINE S norm(const complex<S>& a) {
  return fma(a.im, a.im, a.re * a.re);
}

// c + a b
template <class S>
TRELLIS_INLINE complex<S> fma(const complex<S>& a, const complex<S>& b, const complex<S>& c) {
  return {negated_fma(a.im, b.im, fma(a.re, b.re, c.re)), fma(a.im, b.re, fma(a.re, b.im, c.im))};
}
// c + s a, s real
template <class S>
TRELLIS_INLINE complex<S> fma(const S& s, const complex<S>& a, const complex<S>& c) {
  return {fma(s, a.re, c.re), fma(s, a.im, c.im)};
}
// c + conj(a) b
template <class S>
TRELLIS_INLINE complex<S> fma_conj(const complex<S>& a, const complex<S>& b, const complex<S>& c) {
  return {fma(a.im, b.im, fma(a.re, b.re, c.re)), negated_fma(a.im, b.re, fma(a.re, b.im, c.im))};
}
// conj(a) b
template <class S>
TRELLIS_INLINE complex<S> multiply_conj(const complex<S>& a, const complex<S>& b) {
  return {fma(a.im, b.im, a.re * b.re), negated_fma(a.im, b.re, a.re * b.im)};
}
// i a
template <class S>
TRELLIS_INLINE complex<S> times_i(const complex<S>& a) {
  return {-a.im, a.re};
}
// -i a
template <class S>
TRELLIS_INLINE complex<S> times_minus_i(const complex<S>& a) {
  return {a.im, -a.re};
}
// a + i b
template <class S>
TRELLIS_INLINE complex<S> add_i(const complex<S>& a, const complex<S>& b) {
  return {a.re - b.im, a.im + b.re};
}
// a - i b
template <class S>
TRELLIS_INLINE complex<S> subtract_i(const complex<S>& a, const complex<S>& b) {
  return {a.re + b.im, a.im - b.re};
}
// conj(a b - c d)
template <class S>
TRELLIS_INLINE complex<S> conj_difference(const complex<S>& a, const complex<S>& b, const complex<S>& c,
                                          const complex<S>& d) {
  return {negated_fma(a.im, b.im, fma(a.re, b.re, negated_fma(c.re, d.re, c.im * d.im))),
          negated_fma(a.im, b.re, negated_fma(a.re, b.im, fma(c.re, d.im, c.im * d.re)))};
}
template <class S, class M>
TRELLIS_INLINE complex<S> select(const M& m, const complex<S>& yes, const complex<S>& no) {
  return {select(m, yes.re, no.re), select(m, yes.im, no.im)};
}

// In memory W real parts precede W imaginary ones, W = lane_count<S>; on a GPU the two parts of a lane are adjacent.
// load_once() is for numbers that will not be read again soon, load_to_keep() for those that several instructions use:
// they stay in registers.
template <class S>
struct ComplexTraits;
template <class S>
struct ComplexTraits<complex<S>> {
  using scalar = scalar_t<S>;
  using real = S;  // a real factor
  static constexpr int width = lane_count<S>;
  static constexpr int table_width = width;  // how many lane numbers permute() takes
  static constexpr bool by_threads = requires { S::own(); };

  TRELLIS_INLINE static complex<S> load(const scalar* p) {
    if constexpr (by_threads) {
      const auto pair = load_pair<width>(p);
      return {S(pair.first), S(pair.second)};
    } else {
      return {load_lanes<S>(p), load_lanes<S>(p + width)};
    }
  }
  TRELLIS_INLINE static complex<S> load_once(const scalar* p) {
    if constexpr (by_threads) {
      const auto pair = load_pair_once<width>(p);
      return {S(pair.first), S(pair.second)};
    } else {
      return load(p);
    }
  }
  TRELLIS_INLINE static complex<S> load_to_keep(const scalar* p) {
    if constexpr (by_threads)
      return load_once(p);
    else
      return {load_lanes_to_keep<S>(p), load_lanes_to_keep<S>(p + width)};
  }
  // The same number in all lanes.
  TRELLIS_INLINE static complex<S> broadcast(const scalar* p) { return {S(p[0]), S(p[1])}; }
  TRELLIS_INLINE static void store(scalar* p, const complex<S>& a) {
    if constexpr (by_threads) {
      store_pair<width>(p, a.re.v, a.im.v);
    } else {
      store_lanes<S>(p, a.re);
      store_lanes<S>(p + width, a.im);
    }
  }
  TRELLIS_INLINE static void stream(scalar* p, const complex<S>& a) {
    if constexpr (by_threads) {
      stream_pair<width>(p, a.re.v, a.im.v);
    } else {
      stream_lanes<S>(p, a.re);
      stream_lanes<S>(p + width, a.im);
    }
  }
  // The position of part 0 (real) or 1 (imaginary) of a lane.
  static constexpr int place(int lane, int part) { return lane_group == 2 ? 2 * lane + part : part * width + lane; }
};
// Complex number k of those that a field holds per site; p is where those of the tile begin.
template <class S>
TRELLIS_INLINE complex<S> load_complex(const scalar_t<S>* p, int k) {
  return ComplexTraits<complex<S>>::load(p + 2 * k * lane_count<S>);
}
// Two 16-bit integers, as they are in memory: the real and imaginary parts of one lane's number.
struct Int16Pair {
  std::uint32_t bits;

  TRELLIS_INLINE static Int16Pair of(std::int16_t first, std::int16_t second) {
    return {std::uint32_t(std::uint16_t(first)) | std::uint32_t(std::uint16_t(second)) << 16};
  }
  template <class C>
  TRELLIS_INLINE C numbers() const {
    if constexpr (backend::lanes_are_threads) {
      const C pair = raised<C>();
      return {pair.re - int16_raise, pair.im - int16_raise};
    } else {
      return {float(std::int16_t(bits)), float(std::int16_t(bits >> 16))};
    }
  }
  // Raised by int16_raise, which may be subtracted later, together with that of other numbers. Sums of integers below
  // 2^24 are exact.
  template <class C>
  TRELLIS_INLINE C raised() const {
    const auto pair = backend::raised_int16_pair(bits);
    return {pair.first, pair.second};
  }
};
// On a GPU a lane's 16-bit integers are stored in groups of G = 8, 4 or 2, the largest that divides their count per
// site, so that a thread moves up to 16 bytes at once: number k of a lane is at k / G * G * W + lane * G + k % G.
template <int Reals>
inline constexpr int largest_int16_group = Reals % 8 == 0   ? 8
                                           : Reals % 4 == 0 ? 4
                                                            : 2;
template <int Reals>
inline constexpr int int16_group = lane_group == 1 ? 1 : largest_int16_group<Reals>;
template <int Reals, int W>
TRELLIS_INLINE constexpr int int16_place(int k, int lane) {
  constexpr int group = int16_group<Reals>;
  return k / group * group * W + lane * group + k % group;
}
// All numbers of a lane, the first of them at p; if lanes are threads, or there is only one.
template <int Group>
struct alignas(2 * Group) Int16Group {
  Int16Pair pairs[Group / 2];
};
template <int Reals, int W, bool Once = false>
TRELLIS_INLINE void load_int16_pairs(const std::int16_t* p, Int16Pair (&pairs)[Reals / 2]) {
  constexpr int group = lane_group == 1 ? 2 : int16_group<Reals>, each = group / 2;
  TRELLIS_UNROLL
  for (int i = 0; i < Reals / group; ++i) {
    const auto* const from = reinterpret_cast<const Int16Group<group>*>(p + i * group * W);
    const auto part = Once ? backend::load_past_caches(from) : *from;
    for (int k = 0; k < each; ++k) pairs[i * each + k] = part.pairs[k];
  }
}
template <int Reals, int W>
TRELLIS_INLINE void load_int16_pairs_once(const std::int16_t* p, Int16Pair (&pairs)[Reals / 2]) {
  load_int16_pairs<Reals, W, true>(p, pairs);
}
template <int Reals, int W>
TRELLIS_INLINE void store_int16_pairs(std::int16_t* p, const Int16Pair (&pairs)[Reals / 2]) {
  constexpr int group = lane_group == 1 ? 2 : int16_group<Reals>, each = group / 2;
  TRELLIS_UNROLL
  for (int i = 0; i < Reals / group; ++i) {
    Int16Group<group> part;
    for (int k = 0; k < each; ++k) part.pairs[k] = pairs[i * each + k];
    *reinterpret_cast<Int16Group<group>*>(p + i * group * W) = part;
  }
}
template <int W>
TRELLIS_INLINE Int16Pair load_raw_int16(const std::int16_t* p) {
  return {reinterpret_cast<const std::uint32_t*>(p)[simd_detail::own_place<lanes_t<float, W>>() / lane_group]};
}
// As load_complex, from 16-bit integers; S is a lane type over float.
template <class S>
TRELLIS_INLINE complex<S> load_complex_int16(const std::int16_t* p, int k) {
  const std::int16_t* at = p + 2 * k * lane_count<S>;
  if constexpr (ComplexTraits<complex<S>>::by_threads) {
    return load_raw_int16<lane_count<S>>(at).template numbers<complex<S>>();
  } else {
    return {load_int16<S>(at, 0), load_int16<S>(at, 1)};
  }
}
template <class S>
TRELLIS_INLINE void store_complex(scalar_t<S>* p, int k, const complex<S>& a) {
  ComplexTraits<complex<S>>::store(p + 2 * k * lane_count<S>, a);
}
template <class S>
TRELLIS_INLINE void stream_complex(scalar_t<S>* p, int k, const complex<S>& a) {
  ComplexTraits<complex<S>>::stream(p + 2 * k * lane_count<S>, a);
}
template <class S>
TRELLIS_INLINE complex<S> permute(const complex<S>& a, const std::int32_t* from) {
  return {permute(a.re, from), permute(a.im, from)};
}

}  // namespace trellis
