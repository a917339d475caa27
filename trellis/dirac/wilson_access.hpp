// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What wilson_kernel.hpp asks for, over plain memory. A register's worth of complex numbers C is one element of 2 W
// reals; a layout says which element is where: LayoutRight [row][component] is what operators use, LayoutLeft and
// LayoutTiled are for comparison. Rows are (tile, vector) of spinors, with 12 components, and hops of links, with 9
// or 6.

#include <algorithm>

#include "trellis/core/layout.hpp"
#include "trellis/dirac/neighbour_spinors.hpp"
#include "trellis/dirac/spinor_registers.hpp"
#include "trellis/dirac/wilson_kernel.hpp"
#include "trellis/dirac/wilson_links.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/su3/compression.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

template <class C, class Layout = LayoutRight>
struct SpinorAccess {
  using complex_type = C;
  using Traits = ComplexTraits<C>;
  using T = typename Traits::scalar;
  using Map = typename Layout::template Mapping<Extents<dynamic_extent, 4, 3>>;
  static constexpr bool scaled = false;
  static constexpr int reals = 2 * Traits::width;  // of an element

  // One spinor.
  struct Site {
    T* p;
    Index spin_stride, colour_stride;

    TRELLIS_INLINE T* at(int spin, int colour) const { return p + spin * spin_stride + colour * colour_stride; }
    TRELLIS_INLINE C load(int spin, int colour) const { return Traits::load(at(spin, colour)); }
  };

  T* data;
  int count;  // vectors side by side
  Map map;

  TRELLIS_FUNCTION SpinorAccess(T* p, Index tiles, int vectors = 1)
      : data(p), count(vectors), map{{{tiles * vectors}}} {}

  TRELLIS_INLINE Site site(int tile, int n) const {
    return {data + map(Index(tile) * count + n, 0, 0) * reals, map.stride(1) * reals, map.stride(2) * reals};
  }
  // For threads that each have a lane: one spinor, of a lane so far from the own one.
  static constexpr bool side_by_side = false;
  static constexpr int at_once = 1;
  using Raw = C;
  struct RawScale {};
  TRELLIS_INLINE void fetch(int tile, int n, int displacement, Raw (&numbers)[1][4][3], RawScale (&)[1]) const {
    const T* const p = data + (Index(tile) * count + n) * (12 * reals) + 2 * displacement;
    for (int k = 0; k < 12; ++k) numbers[0][k / 3][k % 3] = Traits::load(p + k * reals);
  }
  TRELLIS_INLINE C number(const C& raw) const { return raw; }
  TRELLIS_INLINE void store(int tile, int n, const Spinor<C>& v, bool streaming) const {
    const Site to = site(tile, n);
    for (int s = 0; s < 4; ++s)
      for (int c = 0; c < 3; ++c)
        if (streaming)
          Traits::stream(to.at(s, c), v.e[s][c]);
        else
          Traits::store(to.at(s, c), v.e[s][c]);
  }
  template <bool Near>
  TRELLIS_INLINE void prefetch(int tile, int n) const {
    constexpr int bytes = reals * int(sizeof(T));
    const Site from = site(tile, n);
    if constexpr (std::is_same_v<Layout, LayoutRight>) {
      prefetch_lines<Near>(from.p, 0, (12 * bytes + 63) / 64);
    } else {
      for (int s = 0; s < 4; ++s)
        for (int c = 0; c < 3; ++c) prefetch_lines<Near>(from.at(s, c), 0, (bytes + 63) / 64);
    }
  }
};

// Links of 18, 12 (two rows) or 8 reals. With Broadcast an element is one number for all lanes, which hold the
// right-hand sides of one site.
template <class C, int Reals, class Layout = LayoutRight, bool Broadcast = false>
struct LinkAccess {
  static_assert(Reals == 18 || Reals == 12 || Reals == 8, "links have 18, 12 or 8 reals");
  using Traits = ComplexTraits<C>;
  using T = typename Traits::scalar;
  using Map = typename Layout::template Mapping<Extents<dynamic_extent, Reals / 2>>;
  static constexpr bool scaled = false;
  static constexpr int reals = Broadcast ? 2 : 2 * Traits::width;  // of an element

  const T* data;
  Map map;

  LinkAccess(const T* p, Index hops) : data(p), map{{{hops}}} {}

  // One link, of which rows are loaded as they are needed: all of it does not fit into registers beside a half spinor.
  struct Link {
    const T* p;
    Index stride;

    TRELLIS_INLINE C element(int k) const {
      if constexpr (Broadcast)
        return Traits::broadcast(p + k * stride);
      else if constexpr (requires { Traits::load_once(p); })
        return Traits::load_once(p + k * stride);
      else
        return Traits::load(p + k * stride);
    }
    template <int I>
    TRELLIS_INLINE LinkRow<C> row() const {
      if constexpr (Reals == 12 && I == 2)
        return third_row(row<0>(), row<1>());
      else
        return {element(3 * I), element(3 * I + 1), element(3 * I + 2)};
    }
  };

  // As it is in memory, for threads that each have a lane.
  using Raw = C;
  static constexpr int elements = Reals / 2;
  TRELLIS_INLINE void fetch(int tile, int step, C (&e)[elements]) const {
    const T* const p = data + Index(8 * tile + step) * (elements * reals);
    if constexpr (reals == 2 && elements * reals * sizeof(T) % 16 == 0) {  // which many threads read
      T numbers[2 * elements];
      load_line(p, numbers);
      for (int k = 0; k < elements; ++k) e[k] = {numbers[2 * k], numbers[2 * k + 1]};
    } else {
      for (int k = 0; k < elements; ++k) e[k] = Traits::load_once(p + k * reals);
    }
  }
  struct LoadedLink {
    const C (&e)[elements];
    TRELLIS_INLINE C element(int k) const { return e[k]; }
    template <int I>
    TRELLIS_INLINE LinkRow<C> row() const {
      if constexpr (Reals == 12 && I == 2)
        return third_row(row<0>(), row<1>());
      else
        return {e[3 * I], e[3 * I + 1], e[3 * I + 2]};
    }
  };
  template <class>
  TRELLIS_INLINE static auto from_raw(const C (&e)[elements]) {
    const LoadedLink u{e};
    if constexpr (Reals == 8)
      return rebuilt(u);
    else
      return u;
  }

  TRELLIS_INLINE auto link(int hop) const {
    const Link u{data + map(hop, 0) * reals, map.stride(1) * reals};
    if constexpr (Reals == 8)
      return rebuilt(u);
    else
      return u;
  }
  template <class L>
  TRELLIS_INLINE static LinkMatrix<C> rebuilt(const L& u) {
    using S = typename Traits::real;
    S numbers[8];
    for (int k = 0; k < 4; ++k) {
      const C pair = u.element(k);
      numbers[2 * k] = pair.re;
      numbers[2 * k + 1] = pair.im;
    }
    const Matrix<S> m = reconstruct8(numbers);
    LinkMatrix<C> v;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v.e[i][j] = m.e[i][j];
    return v;
  }
  static constexpr int lines = (Reals / 2 * reals * int(sizeof(T)) + 63) / 64;
  // Lines first .. first + n of a hop.
  TRELLIS_INLINE void prefetch(int hop, int first = 0, int n = lines) const {
    if constexpr (std::is_same_v<Layout, LayoutRight>)
      prefetch_lines<false>(data + Index(hop) * (Reals / 2 * reals), first, n);
  }
};

// A thread's lane; 0 where there is but one.
template <class S>
TRELLIS_INLINE int own_lane() {
  if constexpr (ComplexTraits<complex<S>>::by_threads)
    return S::own();
  else
    return 0;
}

// Spinors and links in 16 bits, as integers: what they are to be multiplied with waits for the half spinor of a hop.
template <int W>
struct FixedSpinorAccess {
  using complex_type = complex<lanes_t<float, W>>;
  using S = lanes_t<float, W>;
  static constexpr bool scaled = true;

  struct Site {
    const std::int16_t* p;

    TRELLIS_INLINE complex_type load(int spin, int colour) const { return load_complex_int16<S>(p, 3 * spin + colour); }
  };

  ParityAccess<Fixed16, 24, W> vectors;

  // As in SpinorAccess.
  static constexpr bool side_by_side = false;
  static constexpr int at_once = 1;
  using Raw = Int16Pair;
  using RawScale = S;
  // Products of 32 bits, since instructions are what counts here.
  TRELLIS_INLINE void fetch(int tile, int n, int displacement, Raw (&numbers)[1][4][3], S (&scales)[1]) const {
    const Index place = unsigned(tile * vectors.count + n), lane = unsigned(own_lane<S>() + displacement);
    Raw pairs[12];
    load_int16_pairs<24, W>(vectors.data + place * (24 * W) + lane * int16_group<24>, pairs);
    for (int k = 0; k < 12; ++k) numbers[0][k / 3][k % 3] = pairs[k];
    scales[0] = S((vectors.scales + place * W)[lane]);
  }
  TRELLIS_INLINE complex_type number(const Raw& raw) const { return raw.template numbers<complex_type>(); }
  // a + s i^Phase b for s = 1 or -1: what the integers of b are raised by is taken off with that of a.
  template <int Phase>
  TRELLIS_INLINE complex_type combined(float s, const Raw& a, const Raw& b) const {
    const auto x = a.template raised<complex_type>(), y = b.template raised<complex_type>();
    const float plus = int16_raise + s * int16_raise, minus = int16_raise - s * int16_raise;
    const complex_type raised{x.re - S(Phase == 0 || Phase == 3 ? plus : minus),
                              x.im - S(Phase == 0 || Phase == 1 ? plus : minus)};
    return spin::add_scaled<Phase>(S(s), raised, y);
  }
  TRELLIS_INLINE S scale_of(const S& scale) const { return scale; }

  explicit FixedSpinorAccess(const SpinorField<Fixed16, W>& x) : vectors(x.access()) {}

  TRELLIS_INLINE Site site(int tile, int n) const { return {vectors.at(tile, n)}; }
  TRELLIS_INLINE S scale(int tile, int n) const { return vectors.scale(tile, n); }
  // There is no streaming store of 16 bits: results go through the caches.
  TRELLIS_INLINE void store(int tile, int n, const Spinor<complex_type>& v, bool) const {
    store_spinor(vectors, tile, n, v);
  }
  template <bool Near>
  TRELLIS_INLINE void prefetch(int tile, int n) const {
    prefetch_lines<Near>(vectors.at(tile, n), 0, (48 * W + 63) / 64);
    prefetch_lines<Near>(vectors.scale_at(tile, n), 0, 1);
  }
};

// gamma_5^s of vectors: the lower two spins times `sign`, which is 1 or -1, where they are added to the upper ones.
// D^dagger = gamma_5 D gamma_5 then needs no kernel of its own, and has the same bits.
template <class In>
struct ChiralAccess : In {
  using C = typename In::complex_type;
  using Real = typename ComplexTraits<C>::real;
  scalar_t<Real> sign;

  TRELLIS_INLINE Real lower_sign() const { return Real(sign); }
  template <int Phase, class Raw>
  TRELLIS_INLINE C combined(const Raw& a, const Raw& b) const
    requires requires(const In& vectors) { vectors.template combined<Phase>(1.0f, a, b); }
  {
    return In::template combined<Phase>(sign, a, b);
  }
};

// The one that fits a field of operators.
template <class T, int W>
auto spinor_access(const SpinorField<T, W>& x) {
  if constexpr (fields_side_by_side<W>)
    return NeighbourSpinors<T, 1>{x.access()};
  else if constexpr (is_fixed_point<T>)
    return FixedSpinorAccess<W>(x);
  else
    return SpinorAccess<complex<lanes_t<T, W>>>(x.view().data(), x.tiles(), x.count());
}

template <int W, int Reals>
struct FixedLinkAccess {
  static_assert(Reals == 18 || Reals == 12, "links in 16 bits have 18 or 12 reals");
  using S = lanes_t<float, W>;
  using C = complex<S>;
  static constexpr bool scaled = true;
  static constexpr int lines = (Reals * W * 2 + 63) / 64;

  const std::int16_t* data;

  // As in LinkAccess.
  using Raw = Int16Pair;
  static constexpr int elements = Reals / 2;
  TRELLIS_INLINE void fetch(int tile, int step, Raw (&e)[elements]) const {
    load_int16_pairs_once<Reals, W>(
        data + Index(unsigned(tile)) * (8 * Reals * W) + Index(own_lane<S>()) * int16_group<Reals> + step * (Reals * W),
        e);
  }
  struct LoadedLink {
    const Raw (&e)[elements];
    template <int I>
    TRELLIS_INLINE LinkRow<C> row() const {
      LinkRow<C> u;
      if constexpr (Reals == 12 && I == 2) {
        u = third_row(row<0>(), row<1>());
        for (C& x : u.e) x = scale() * x;  // the product of two rows
      } else {
        for (int j = 0; j < 3; ++j) u.e[j] = e[3 * I + j].template numbers<C>();
      }
      return u;
    }
  };
  template <class>
  TRELLIS_INLINE static LoadedLink from_raw(const Raw (&e)[elements]) {
    return {e};
  }

  TRELLIS_INLINE static S scale() { return S(fixed_link_unit); }
  struct Link {
    const std::int16_t* p;

    template <int I>
    TRELLIS_INLINE LinkRow<C> row() const {
      LinkRow<C> u;
      if constexpr (Reals == 12 && I == 2) {
        u = third_row(row<0>(), row<1>());
        for (C& x : u.e) x = scale() * x;  // the product of two rows
      } else {
        for (int j = 0; j < 3; ++j) u.e[j] = load_complex_int16<S>(p, 3 * I + j);
      }
      return u;
    }
  };
  TRELLIS_INLINE Link link(int hop) const { return {data + Index(hop) * (Reals * W)}; }
  TRELLIS_INLINE void prefetch(int hop, int first = 0, int n = lines) const {
    prefetch_lines<false>(data + Index(hop) * (Reals * W), first, n);
  }
};

// Neighbours from the lattice's table, of the tiles of one parity. C: what factors are.
template <class C, bool Permutes = (ComplexTraits<C>::width > 1), bool Broadcast = false>
struct TableHops {
  using Traits = ComplexTraits<C>;
  using T = typename Traits::scalar;
  static constexpr bool permutes = Permutes;
  static constexpr int reals = Broadcast ? 2 : 2 * Traits::width;

  const Hop* hops;              // [tile][8] of the tiles written to
  const std::uint8_t* exits;    // [tile]: hops that lead out of the column
  const std::uint8_t* marks;    // [tile]: hops that have a factor
  const std::int32_t* numbers;  // [tile][8]: which factor
  const T* factors;             // [number][reals]
  const std::int32_t* lanes;    // [shift][Traits::table_width]
  int in_origin;                // first tile read from
  int last;                     // hop

  TRELLIS_INLINE Hop operator()(int tile, int step) const {
    const Hop to = hops[8 * tile + step];
    return {to.tile - in_origin, to.shift};
  }
  TRELLIS_INLINE int target(int hop) const { return hops[hop < last ? hop : last].tile - in_origin; }
  // False for tiles past the last one.
  TRELLIS_INLINE bool is_new(int tile, int step) const {
    return 8 * tile <= last && (step == 3 || (exits[tile] >> step & 1) != 0);
  }
  TRELLIS_INLINE unsigned marked(int tile) const { return marks[tile]; }
  TRELLIS_INLINE C factor(int tile, int step) const {
    const T* p = factors + Index(numbers[8 * tile + step]) * reals;
    if constexpr (Broadcast)
      return Traits::broadcast(p);
    else
      return Traits::load(p);
  }
  TRELLIS_INLINE const std::int32_t* permutation(int shift) const { return lanes + shift * Traits::table_width; }

  // Where threads each have a lane.
  int high_bits = 0;
  TRELLIS_INLINE int displacement(int shift) const {
    return lane_displacement<typename Traits::real>(high_bits, shift);
  }
};

}  // namespace trellis::dirac
