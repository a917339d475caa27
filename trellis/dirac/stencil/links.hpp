// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a sum over hops reads packed links: for each site the matrices that its hops apply, those of backward hops as
// adjoints, in the lanes of the site. Links have 18, 12 (two rows) or 8 reals, or 14 if they are in U(3) times a number
// (two rows, and what the third is multiplied by), as they are or in 16 bits. All have
//   link(hop).row<i>()                     a row, hop = hops * tile + k, loaded when it is needed: a complete link does
//                                          not fit into registers beside a half spinor
//   fetch(first, k, raw)                   the link of hop first + k as it is in memory, where a thread has one lane;
//   from_raw(raw).row<i>()                 first: the tile's first hop, so that k is a constant in addresses
//   prefetch(hop[, first line, lines])
// and where `scaled` is true, numbers must be multiplied by scale(). The hops of a tile may have links in two storages:
// `parts` is 2, and these functions have the part as a template argument.

#include <type_traits>

#include "trellis/core/layout.hpp"
#include "trellis/lattice/fixed_point.hpp"
#include "trellis/su3/compression.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac::stencil {

// The third row from the other two: conj(a x b). Each operator keeps its own order of operations, so that its results
// keep their bits.
struct FusedThirdRow {
  template <class C>
  TRELLIS_INLINE static LinkRow<C> of(const LinkRow<C>& a, const LinkRow<C>& b) {
    return third_row(a, b);
  }
};
// As in complete_third_row: products are rounded before they are subtracted.
struct RoundedThirdRow {
  template <class C>
  TRELLIS_INLINE static LinkRow<C> of(const LinkRow<C>& a, const LinkRow<C>& b) {
    LinkRow<C> u;
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      const C c = a.e[k] * b.e[l] - a.e[l] * b.e[k];
      u.e[j] = conj(c);
    }
    return u;
  }
};

// The rows of a link whose stored numbers are source.element(k).
template <class C, int Reals, class ThirdRow, class Source>
struct LinkRows {
  Source source;

  template <int I>
  TRELLIS_INLINE LinkRow<C> row() const {
    if constexpr (Reals < 18 && I == 2) {
      LinkRow<C> u = ThirdRow::of(row<0>(), row<1>());
      if constexpr (Reals == 14) {
        C factor = source.element(6);
        if constexpr (Source::scaled) factor = source.third_row_unit() * factor;
        for (C& x : u.e) x = factor * x;
      } else if constexpr (Source::scaled) {
        for (C& x : u.e) x = source.third_row_unit() * x;  // the product of two rows
      }
      return u;
    } else {
      return {source.element(3 * I), source.element(3 * I + 1), source.element(3 * I + 2)};
    }
  }
};
template <class C, int Reals, class ThirdRow, class Source>
TRELLIS_INLINE auto rows_of(const Source& source) {
  if constexpr (Reals == 8) {
    using S = typename ComplexTraits<C>::real;
    S numbers[8];
    for (int k = 0; k < 4; ++k) {
      const C pair = source.element(k);
      numbers[2 * k] = pair.re;
      numbers[2 * k + 1] = pair.im;
    }
    const Matrix<S> m = reconstruct8(numbers);
    LinkMatrix<C> v;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v.e[i][j] = m.e[i][j];
    return v;
  } else {
    return LinkRows<C, Reals, ThirdRow, Source>{source};
  }
}

// An element is a register of C, placed as in PlainVectors, or (Broadcast) one number for all lanes, which then hold
// the right-hand sides of one site.
template <class C, int Reals, class ThirdRow = FusedThirdRow, class Layout = LayoutRight, bool Broadcast = false>
struct PlainLinks {
  static_assert(Reals == 18 || Reals == 14 || Reals == 12 || Reals == 8, "links have 18, 14, 12 or 8 reals");
  using Traits = ComplexTraits<C>;
  using T = typename Traits::scalar;
  using Map = typename Layout::template Mapping<Extents<dynamic_extent, Reals / 2>>;
  static constexpr bool scaled = false;
  static constexpr int parts = 1;
  static constexpr int elements = Reals / 2;
  static constexpr int reals = Broadcast ? 2 : 2 * Traits::width;  // of an element
  static constexpr int lines = (elements * reals * int(sizeof(T)) + 63) / 64;

  const T* data;
  Map map;

  PlainLinks(const T* p, Index hops) : data(p), map{{{hops}}} {}

  struct InMemory {
    static constexpr bool scaled = false;
    const T* p;
    Index stride;

    TRELLIS_INLINE C element(int k) const {
      if constexpr (Broadcast)
        return Traits::broadcast(p + k * stride);
      else if constexpr (requires { Traits::load_to_keep(p); })
        return Traits::load_to_keep(p + k * stride);
      else
        return Traits::load(p + k * stride);
    }
  };
  TRELLIS_INLINE auto link(int hop) const {
    return rows_of<C, Reals, ThirdRow>(InMemory{data + map(hop, 0) * reals, map.stride(1) * reals});
  }
  // The same, so many numbers further in memory.
  TRELLIS_INLINE PlainLinks moved(Index numbers) const {
    PlainLinks other = *this;
    other.data += numbers;
    return other;
  }

  using Raw = C;
  struct Fetched {
    static constexpr bool scaled = false;
    const C (&e)[elements];
    TRELLIS_INLINE C element(int k) const { return e[k]; }
  };
  TRELLIS_INLINE void fetch(int first, int k, C (&e)[elements]) const {
    const T* const p = data + Index(first) * (elements * reals) + k * (elements * reals);
    if constexpr (reals == 2 && elements * reals * sizeof(T) % 16 == 0) {  // read by many threads
      T numbers[2 * elements];
      load_line(p, numbers);
      for (int i = 0; i < elements; ++i) e[i] = {numbers[2 * i], numbers[2 * i + 1]};
    } else {
      for (int i = 0; i < elements; ++i) e[i] = Traits::load_once(p + i * reals);
    }
  }
  TRELLIS_INLINE auto from_raw(const C (&e)[elements]) const { return rows_from(Fetched{e}); }
  // Of a link whose numbers are source.element(k).
  template <class Source>
  TRELLIS_INLINE static auto rows_from(const Source& source) {
    return rows_of<C, Reals, ThirdRow>(source);
  }

  // Lines first .. first + n of a hop.
  TRELLIS_INLINE void prefetch(int hop, int first = 0, int n = lines) const {
    if constexpr (std::is_same_v<Layout, LayoutRight>)
      prefetch_lines<false>(data + Index(hop) * (elements * reals), first, n);
  }
};

template <int W, int Reals, class ThirdRow = FusedThirdRow>
struct FixedLinks {
  static_assert(Reals == 18 || Reals == 14 || Reals == 12, "links in 16 bits have 18, 14 or 12 reals");
  using S = lanes_t<float, W>;
  using C = complex<S>;
  static constexpr bool scaled = true;
  static constexpr int parts = 1;
  static constexpr int elements = Reals / 2;
  static constexpr int lines = (Reals * W * 2 + 63) / 64;
  static constexpr bool in_su3 = Reals == 12;  // all such links have the same unit

  const std::int16_t* data;
  float unit = fixed_link_unit;
  // In units of which the third row is, given the other two (and what it is multiplied by) as integers.
  float third_row_unit = fixed_link_unit;

  TRELLIS_INLINE S scale() const {
    if constexpr (in_su3)
      return S(fixed_link_unit);
    else
      return S(unit);
  }
  TRELLIS_INLINE float unit_of_third_row() const {
    if constexpr (in_su3)
      return fixed_link_unit;
    else
      return third_row_unit;
  }

  struct InMemory {
    static constexpr bool scaled = true;
    const std::int16_t* p;
    float unit;

    TRELLIS_INLINE S third_row_unit() const { return S(unit); }
    TRELLIS_INLINE C element(int k) const { return load_complex_int16<S>(p, k); }
  };
  TRELLIS_INLINE auto link(int hop) const {
    return rows_of<C, Reals, ThirdRow>(InMemory{data + Index(hop) * (Reals * W), unit_of_third_row()});
  }
  TRELLIS_INLINE FixedLinks moved(Index numbers) const { return {data + numbers, unit, third_row_unit}; }

  using Raw = Int16Pair;
  struct Fetched {
    static constexpr bool scaled = true;
    const Raw (&e)[elements];
    float unit;

    TRELLIS_INLINE S third_row_unit() const { return S(unit); }
    TRELLIS_INLINE C element(int k) const { return e[k].template numbers<C>(); }
  };
  TRELLIS_INLINE void fetch(int first, int k, Raw (&e)[elements]) const {
    const int own = simd_detail::own_place<S>() / lane_group;
    load_int16_pairs_once<Reals, W>(
        data + Index(unsigned(first)) * (Reals * W) + Index(own) * int16_group<Reals> + k * (Reals * W), e);
  }
  TRELLIS_INLINE auto from_raw(const Raw (&e)[elements]) const {
    return rows_of<C, Reals, ThirdRow>(Fetched{e, unit_of_third_row()});
  }

  TRELLIS_INLINE void prefetch(int hop, int first = 0, int n = lines) const {
    prefetch_lines<false>(data + Index(hop) * (Reals * W), first, n);
  }
};

// Tiles have other numbers between them, `skip` of them behind each. Hops: of a tile.
template <int Hops, class Links>
struct SpacedLinks {
  static constexpr bool scaled = Links::scaled;
  static constexpr int parts = 1, elements = Links::elements, lines = Links::lines;
  using Raw = typename Links::Raw;

  Links links;
  Index skip;

  TRELLIS_INLINE Links of_tile(int tile) const { return links.moved(tile * skip); }
  TRELLIS_INLINE auto scale() const
    requires(scaled)
  {
    return links.scale();
  }
  TRELLIS_INLINE auto link(int hop) const { return of_tile(hop / Hops).link(hop); }
  TRELLIS_INLINE void fetch(int first, int k, Raw (&e)[elements]) const { of_tile(first / Hops).fetch(first, k, e); }
  TRELLIS_INLINE auto from_raw(const Raw (&e)[elements]) const { return links.from_raw(e); }
  template <class Source>
  TRELLIS_INLINE static auto rows_from(const Source& source) {
    return Links::rows_from(source);
  }
  TRELLIS_INLINE void prefetch(int hop) const { of_tile(hop / Hops).prefetch(hop); }
};

// The first half of the hops of a tile in one storage and the second half in another, each in its unit; Hops in each.
// Both may be spaced, so that the links of a tile are side by side: one stream through memory is read faster than two.
template <int Hops, class First, class Second>
struct TwoStorages {
  static_assert(std::is_same_v<typename First::Raw, typename Second::Raw> && First::scaled == Second::scaled);
  static constexpr bool scaled = First::scaled;
  static constexpr int parts = 2;
  static constexpr int elements = First::elements > Second::elements ? First::elements : Second::elements;
  using Raw = typename First::Raw;

  First near;
  Second far;

  template <int Part>
  TRELLIS_INLINE auto scale() const
    requires(scaled)
  {
    if constexpr (Part == 0)
      return near.scale();
    else
      return far.scale();
  }
  template <int Part>
  TRELLIS_INLINE auto link(int hop) const {
    const int tile = hop / (2 * Hops), k = hop % (2 * Hops);
    if constexpr (Part == 0)
      return near.link(Hops * tile + k);
    else
      return far.link(Hops * tile + k - Hops);
  }
  template <int Part>
  TRELLIS_INLINE void fetch(int first, int k, Raw (&e)[elements]) const {
    if constexpr (Part == 0)
      near.fetch(first / 2, k, reinterpret_cast<Raw(&)[First::elements]>(e));
    else
      far.fetch(first / 2, k - Hops, reinterpret_cast<Raw(&)[Second::elements]>(e));
  }
  template <int Part>
  TRELLIS_INLINE auto from_raw(const Raw (&e)[elements]) const {
    if constexpr (Part == 0)
      return near.from_raw(reinterpret_cast<const Raw(&)[First::elements]>(e));
    else
      return far.from_raw(reinterpret_cast<const Raw(&)[Second::elements]>(e));
  }
  TRELLIS_INLINE void prefetch(int hop) const {
    const int tile = hop / (2 * Hops), k = hop % (2 * Hops);
    if (k < Hops)
      near.prefetch(Hops * tile + k);
    else
      far.prefetch(Hops * tile + k - Hops);
  }
};

}  // namespace trellis::dirac::stencil
