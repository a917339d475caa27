// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a sum over hops reads and writes vectors of `Spins` x 3 complex numbers C, in each storage. All of these have
//   count                                     vectors per site
//   site(tile, n).load(spin, colour)          one number, if lanes are in registers; times scale(tile, n) if `scaled`
//   fetch(tile, n, displacement, raw, scales) all numbers of vectors n .. n + at_once - 1 as they are in memory, if a
//                                             thread has one lane: from the lane `displacement` away
//   number(raw)                               one of these as C
//   store(tile, n, v, streaming)
//   prefetch<near>(tile, n)
// If several vectors are taken at once, the last one stands in for those past the end.

#include "trellis/core/layout.hpp"
#include "trellis/dirac/stencil/registers.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac::stencil {

struct NoScale {};

// Stored as they are: an element of 2 W reals is a register of C, and the layout says where each element is. Operators
// use LayoutRight, [tile][vector][spin][colour]; LayoutLeft and LayoutTiled are for comparison.
template <class C, int Spins, int AtOnce = 1, class Layout = LayoutRight>
struct PlainVectors {
  using complex_type = C;
  using Traits = ComplexTraits<C>;
  using T = typename Traits::scalar;
  using Map = typename Layout::template Mapping<Extents<dynamic_extent, Spins, 3>>;
  static constexpr bool scaled = false, side_by_side = false, shares_links = false;
  static constexpr int at_once = AtOnce;
  static constexpr int components = 3 * Spins;
  static constexpr int reals = 2 * Traits::width;  // of an element

  T* data;
  int count;
  Map map;

  TRELLIS_FUNCTION PlainVectors(T* p, Index tiles, int vectors = 1)
      : data(p), count(vectors), map{{{tiles * vectors}}} {}

  struct Site {
    T* p;
    Index spin_stride, colour_stride;

    TRELLIS_INLINE T* at(int spin, int colour) const { return p + spin * spin_stride + colour * colour_stride; }
    TRELLIS_INLINE C load(int spin, int colour) const { return Traits::load(at(spin, colour)); }
  };
  TRELLIS_INLINE Site site(int tile, int n) const {
    return {data + map(Index(tile) * count + n, 0, 0) * reals, map.stride(1) * reals, map.stride(2) * reals};
  }

  using Raw = C;
  using RawScale = NoScale;
  TRELLIS_INLINE void fetch(int tile, int n, int displacement, Raw (&numbers)[at_once][components],
                            RawScale (&)[at_once]) const {
    TRELLIS_UNROLL
    for (int v = 0; v < at_once; ++v) {
      const int vector = at_once == 1 || n + v < count ? n + v : count - 1;
      const T* const p = data + (Index(tile) * count + vector) * (components * reals) + 2 * displacement;
      for (int k = 0; k < components; ++k) numbers[v][k] = Traits::load(p + k * reals);
    }
  }
  TRELLIS_INLINE C number(const C& raw) const { return raw; }

  template <class V>
  TRELLIS_INLINE void store(int tile, int n, const V& v, bool streaming) const {
    const Site to = site(tile, n);
    for (int s = 0; s < Spins; ++s)
      for (int c = 0; c < 3; ++c)
        if (streaming)
          Traits::stream(to.at(s, c), number_of(v, s, c));
        else
          Traits::store(to.at(s, c), number_of(v, s, c));
  }
  template <bool Near>
  TRELLIS_INLINE void prefetch(int tile, int n) const {
    constexpr int bytes = reals * int(sizeof(T));
    const Site from = site(tile, n);
    if constexpr (std::is_same_v<Layout, LayoutRight>) {
      prefetch_lines<Near>(from.p, 0, (components * bytes + 63) / 64);
    } else {
      for (int s = 0; s < Spins; ++s)
        for (int c = 0; c < 3; ++c) prefetch_lines<Near>(from.at(s, c), 0, (bytes + 63) / 64);
    }
  }
};

// In 16 bits, with a scale for each site and vector: the numbers are integers, which are scaled after they are summed.
template <int W, int Spins, int AtOnce = 1>
struct FixedVectors {
  using S = lanes_t<float, W>;
  using complex_type = complex<S>;
  static constexpr bool scaled = true, side_by_side = false, shares_links = false;
  static constexpr int at_once = AtOnce;
  static constexpr int components = 3 * Spins, reals = 2 * components;
  using Access = ParityAccess<Fixed16, reals, W>;

  Access vectors;
  int count;

  explicit FixedVectors(const Access& access) : vectors(access), count(access.count) {}

  struct Site {
    const std::int16_t* p;

    TRELLIS_INLINE complex_type load(int spin, int colour) const { return load_complex_int16<S>(p, 3 * spin + colour); }
  };
  TRELLIS_INLINE Site site(int tile, int n) const { return {vectors.at(tile, n)}; }
  TRELLIS_INLINE S scale(int tile, int n) const { return vectors.scale(tile, n); }

  // Pairs in 32 bits, because the number of instructions matters here.
  using Raw = Int16Pair;
  using RawScale = S;
  TRELLIS_INLINE void fetch(int tile, int n, int displacement, Raw (&numbers)[at_once][components],
                            RawScale (&scales)[at_once]) const {
    const Index lane = unsigned(simd_detail::own_place<S>() / lane_group + displacement);
    TRELLIS_UNROLL
    for (int v = 0; v < at_once; ++v) {
      const int vector = at_once == 1 || n + v < count ? n + v : count - 1;
      const Index place = unsigned(tile * count + vector);
      load_int16_pairs<reals, W>(vectors.data + place * (reals * W) + lane * int16_group<reals>, numbers[v]);
      scales[v] = S((vectors.scales + place * W)[lane]);
    }
  }
  TRELLIS_INLINE complex_type number(const Raw& raw) const { return raw.template numbers<complex_type>(); }
  // a + s i^Phase b for s = 1 or -1. The offset of b's raised integers is subtracted together with that of a.
  template <int Phase>
  TRELLIS_INLINE complex_type combined(float s, const Raw& a, const Raw& b) const {
    const auto x = a.template raised<complex_type>(), y = b.template raised<complex_type>();
    const float plus = int16_raise + s * int16_raise, minus = int16_raise - s * int16_raise;
    const complex_type raised{x.re - S(Phase == 0 || Phase == 3 ? plus : minus),
                              x.im - S(Phase == 0 || Phase == 1 ? plus : minus)};
    return spin::add_scaled<Phase>(S(s), raised, y);
  }

  // There is no streaming store for 16-bit numbers: results go through the caches.
  template <class V>
  TRELLIS_INLINE void store(int tile, int n, const V& v, bool) const {
    store_vector(vectors, tile, n, v);
  }
  template <bool Near>
  TRELLIS_INLINE void prefetch(int tile, int n) const {
    prefetch_lines<Near>(vectors.at(tile, n), 0, (2 * reals * W + 63) / 64);
    prefetch_lines<Near>(vectors.scale_at(tile, n), 0, 1);
  }
};

// Side by side at each site (fields_side_by_side). SharesLinks: the threads of a warp share links (shared_links.hpp),
// and `count` is a multiple of AtOnce.
template <class T, int Spins, int AtOnce, bool SharesLinks = false>
struct NeighbourVectors {
  using S = arithmetic_t<T>;
  using complex_type = complex<S>;
  static constexpr bool scaled = is_fixed_point<T>, side_by_side = true, shares_links = SharesLinks;
  static constexpr int at_once = AtOnce;
  static constexpr int components = 3 * Spins, reals = 2 * components;
  using Access = ParityAccess<T, reals, 1, true>;

  Access vectors;
  int count;

  explicit NeighbourVectors(const Access& access) : vectors(access), count(access.count) {}

  using Raw = std::conditional_t<scaled, Int16Pair, complex_type>;
  using RawScale = std::conditional_t<scaled, S, NoScale>;
  TRELLIS_INLINE void fetch(int tile, int n, int, Raw (&numbers)[at_once][components],
                            RawScale (&scales)[at_once]) const {
    if constexpr (shares_links || at_once == 1) {
      const auto p = vectors.at(tile, n);
      for (int k = 0; k < components; ++k) {
        Raw pairs[at_once];
        load_neighbours<true>(p, k, pairs);
        for (int v = 0; v < at_once; ++v) numbers[v][k] = pairs[v];
      }
    } else {
      for (int v = 0; v < at_once; ++v) {
        const auto p = vectors.at(tile, within(n + v));
        for (int k = 0; k < components; ++k) {
          Raw pair[1];
          load_neighbours<false>(p, k, pair);
          numbers[v][k] = pair[0];
        }
      }
    }
    if constexpr (scaled)
      for (int v = 0; v < at_once; ++v) scales[v] = vectors.scale(tile, shares_links ? n + v : within(n + v));
  }
  TRELLIS_INLINE complex_type number(const Raw& raw) const {
    if constexpr (scaled)
      return raw.template numbers<complex_type>();
    else
      return raw;
  }

  template <class V>
  TRELLIS_INLINE void store(int tile, int n, const V& v, bool streaming) const {
    const V one[1]{v};
    store(tile, n, one, streaming);
  }
  // M vectors; M divides their count.
  template <class V, int M>
  TRELLIS_INLINE void store(int tile, int n, const V (&v)[M], bool streaming) const {
    if constexpr (scaled) {
      for (int m = 0; m < M; ++m) store_vector(vectors, tile, n + m, v[m]);
    } else {
      const auto p = vectors.at(tile, n);
      for (int k = 0; k < components; ++k) {
        complex_type pairs[M];
        for (int m = 0; m < M; ++m) pairs[m] = number_of(v[m], k / 3, k % 3);
        store_neighbours<true>(p, k, pairs, streaming);
      }
    }
  }

 private:
  TRELLIS_INLINE int within(int n) const { return n < count ? n : count - 1; }
};

// The storage that operators use for a field of count() vectors, summed AtOnce at a time.
template <int AtOnce, class T, int Reals, int W>
auto vectors_of(const ParityField<T, Reals, W>& x) {
  constexpr int spins = Reals / 6;
  if constexpr (fields_side_by_side<W>)
    return NeighbourVectors<T, spins, AtOnce>(x.access());
  else if constexpr (is_fixed_point<T>)
    return FixedVectors<W, spins, AtOnce>(x.access());
  else
    return PlainVectors<complex<lanes_t<T, W>>, spins, AtOnce>(x.view().data(), x.tiles(), x.count());
}

}  // namespace trellis::dirac::stencil
