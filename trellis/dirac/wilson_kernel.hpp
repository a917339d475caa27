// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the Wilson hopping term does on one tile of sites: one source, whatever lanes are filled with, however numbers
// lie in memory, and wherever the neighbours come from. Those are types:
//   In      vectors: site(tile, n).load(spin, colour) -> C, prefetch<near>(tile, n); `scaled` if numbers come without a
//           factor that scale(tile, n) returns. C = complex_type is complex<S> or interleaved_complex.
//   Links   link(hop).row<i>() -> LinkRow<C>, prefetch(hop[, first line, lines]) and `lines`, hop = 8 tile + step: the
//           eight links of a site, those backwards adjoint and in the lanes of the site they lead to. `scaled` as
//           above.
//   Hops    (tile, step) -> Hop; target(hop): its tile; is_new(tile, step): nobody
//           has touched its spinor yet; marked(tile): bits of hops that have a factor; factor(tile,
//           step) -> C; permutation(shift): lane numbers. `permutes` is false where no hop moves lanes.
// The order of operations is fixed: all variants give the same bits for the same links (rebuilt third rows differ).

#include <utility>

#include "trellis/core/complex.hpp"
#include "trellis/dirac/shared_links.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

// How far ahead numbers are asked for; 0: it is left to the machine. `links`: hops before they are used, into the
// second level of cache; `spinors`: hops before (of several vectors: the next one), into the first; and `fresh`
// tiles before, into the second, those that nobody has touched yet: a step forward in t, which runs outermost, and in
// other columns. What pays depends on the machine: it is tuned.
struct PrefetchDistances {
  int links = 0;
  int spinors = 0;
  int fresh = 0;
  bool operator==(const PrefetchDistances&) const = default;
};

template <class In>
inline constexpr bool wants_shared_links = [] {
  if constexpr (requires { In::shares_links; })
    return In::shares_links;
  else
    return false;
}();

template <class In, class Links, class Hops, bool Adjoint>
struct WilsonKernel {
  using C = typename In::complex_type;
  using Real = typename ComplexTraits<C>::real;
  // A thread has a lane, or `at_once` of the vectors that lie side by side, for which it loads a link once.
  static constexpr bool by_threads = ComplexTraits<C>::by_threads || In::side_by_side;
  static constexpr int at_once = In::at_once;
  static constexpr bool shares_links = wants_shared_links<In>;

  In in;
  Links links;
  Hops hops;
  PrefetchDistances ahead;
  int count;  // vectors side by side

  // total <- (D psi_n)(tile), or D^dagger
  TRELLIS_INLINE void sum(int tile, int n, Spinor<C>& total) const {
    if constexpr (by_threads) {
      static_assert(at_once == 1);
      sum_in_stages(tile, n, &total, std::make_integer_sequence<int, 8>());
    } else {
      const unsigned marked = hops.marked(tile);
      hop<0>(tile, n, marked, total);
      hop<1>(tile, n, marked, total);
      hop<2>(tile, n, marked, total);
      hop<3>(tile, n, marked, total);
      hop<4>(tile, n, marked, total);
      hop<5>(tile, n, marked, total);
      hop<6>(tile, n, marked, total);
      hop<7>(tile, n, marked, total);
    }
  }
  // Of vectors n .. n + at_once - 1.
  TRELLIS_INLINE void sum(int tile, int n, Spinor<C> (&totals)[at_once]) const
    requires(by_threads)
  {
    if constexpr (shares_links) {
      Hop to[8];
      load_line(hops.hops + 8 * tile, to);
      typename Shared::Room own;
      const int batches = count / at_once;
      const unsigned marked = hops.marked(tile);
      Stage first;
      in.fetch(to[0].tile - hops.in_origin, n, 0, first.spinors, first.scales);
      const C* shared = Shared::fill(tile, n / at_once, batches, 0, Completed{links}, own);
      sum_four<0>(tile, n, marked, to, shared, first, totals);
      if (Shared::in_halves(batches)) shared = Shared::fill(tile, n / at_once, batches, 4, Completed{links}, own);
      sum_four<4>(tile, n, marked, to, shared, first, totals);
    } else {
      sum_in_stages(tile, n, totals, std::make_integer_sequence<int, 8>());
    }
  }

 private:
  using Shared = SharedLinks<C>;

  // What a thread of a GPU loads for a hop, as it is in memory.
  struct Stage {
    typename In::Raw spinors[at_once][4][3];
    typename Links::Raw link[Links::elements];
    typename In::RawScale scales[at_once];

    struct Site {
      const typename In::Raw (&spinor)[4][3];
      const In& in;
      TRELLIS_INLINE C load(int spin, int colour) const { return in.number(spinor[spin][colour]); }
      template <int Phase>
      TRELLIS_INLINE C combined(int upper, int lower, int colour) const
        requires requires(const In& vectors, const typename In::Raw& raw) { vectors.template combined<0>(raw, raw); }
      {
        return in.template combined<Phase>(spinor[upper][colour], spinor[lower][colour]);
      }
      TRELLIS_INLINE Real lower_sign() const
        requires requires(const In& vectors) { vectors.lower_sign(); }
      {
        return in.lower_sign();
      }
    };
  };
  // Of four hops, by links that threads share. zeroth: what hop 0 needs.
  template <int First>
  TRELLIS_INLINE void sum_four(int tile, int n, unsigned marked, const Hop (&to)[8], const C* shared,
                               const Stage& zeroth, Spinor<C>* totals) const {
    // Twice the code: a branch a hop keeps the next one's loads behind it.
    if ((marked >> First & 15u) == 0)
      sum_four<First, false>(tile, n, to, shared, zeroth, totals, std::make_integer_sequence<int, 4>());
    else
      sum_four<First, true>(tile, n, to, shared, zeroth, totals, std::make_integer_sequence<int, 4>());
  }
  template <int First, bool Marked, int... Step>
  TRELLIS_INLINE void sum_four(int tile, int n, const Hop (&to)[8], const C* shared, const Stage& zeroth,
                               Spinor<C>* totals, std::integer_sequence<int, Step...>) const {
    (hop_of_shared<First + Step, Marked>(tile, n, to[First + Step], shared + 9 * (First + Step), zeroth, totals), ...);
  }
  template <int Step, bool Marked>
  TRELLIS_INLINE void hop_of_shared(int tile, int n, Hop to, const C* link, const Stage& zeroth,
                                    Spinor<C>* totals) const {
    Stage now;
    if constexpr (Step == 0)
      now = zeroth;
    else
      in.fetch(to.tile - hops.in_origin, n, 0, now.spinors, now.scales);
    HalfSpinor<C> h[at_once];
    project<Step>(now, h);
    if constexpr (Marked)
      if ((hops.marked(tile) >> Step & 1u) != 0) multiply(hops.factor(tile, Step), h);
    add_to_all<Step, 0>(LinkRow<C>{link[0], link[1], link[2]}, h, totals);
    add_to_all<Step, 1>(LinkRow<C>{link[3], link[4], link[5]}, h, totals);
    add_to_all<Step, 2>(LinkRow<C>{link[6], link[7], link[8]}, h, totals);
  }
  // All numbers of a link.
  struct Completed {
    const Links& links;
    TRELLIS_INLINE void operator()(int tile, int step, C (&e)[9]) const {
      typename Links::Raw raw[Links::elements];
      links.fetch(tile, step, raw);
      const auto link = Links::template from_raw<C>(raw);
      const LinkRow<C> rows[3] = {link.template row<0>(), link.template row<1>(), link.template row<2>()};
      for (int k = 0; k < 9; ++k) e[k] = rows[k / 3].e[k % 3];
    }
  };

  TRELLIS_INLINE void fetch(int tile, int n, int step, Hop to, Stage& stage) const {
    in.fetch(to.tile - hops.in_origin, n, hops.displacement(to.shift), stage.spinors, stage.scales);
    links.fetch(tile, step, stage.link);
  }
  // Numbers of the next hop are on their way while one is worked on: all loads of a hop at once are too few for memory,
  // and the compiler would wait for each branch.
  template <int... Step>
  TRELLIS_INLINE void sum_in_stages(int tile, int n, Spinor<C>* totals, std::integer_sequence<int, Step...>) const {
    Hop to[8];
    load_line(hops.hops + 8 * tile, to);
    const unsigned marked = hops.marked(tile);
    Stage now;
    fetch(tile, n, 0, to[0], now);
    // 16 bits leave registers for loads ahead, which the compiler moves over no branch: most warps have no factor.
    bool factors = true;
    if constexpr (In::scaled && ComplexTraits<C>::by_threads) factors = Real::any(marked != 0);
    if (factors)
      (stage_hop<Step, true>(tile, n, marked, to, now, totals), ...);
    else if constexpr (In::scaled)
      (stage_hop<Step, false>(tile, n, marked, to, now, totals), ...);
  }
  template <int Step, bool Factors>
  TRELLIS_INLINE void stage_hop(int tile, int n, unsigned marked, const Hop (&to)[8], Stage& now,
                                Spinor<C>* totals) const {
    Stage next;
    if constexpr (Step < 7) fetch(tile, n, Step + 1, to[Step + 1], next);
    HalfSpinor<C> h[at_once];
    project<Step>(now, h);
    if (Factors && (marked >> Step & 1u) != 0) multiply(hops.factor(tile, Step), h);
    const auto link = Links::template from_raw<C>(now.link);
    add_to_all<Step, 0>(link.template row<0>(), h, totals);
    add_to_all<Step, 1>(link.template row<1>(), h, totals);
    add_to_all<Step, 2>(link.template row<2>(), h, totals);
    if constexpr (Step < 7) now = next;
  }

  template <int Step>
  TRELLIS_INLINE void hop(int tile, int n, unsigned marked, Spinor<C>& total) const {
    const Hop to = hops(tile, Step);
    ask<Step>(tile, n);
    HalfSpinor<C> h = spin::project<Step, Adjoint, C>(in.site(to.tile, n));
    if constexpr (In::scaled || Links::scaled) {
      const Real scale = factor_of_storage(to.tile, n);
      for (auto& row : h.e)
        for (C& x : row) x = scale * x;
    }
    if constexpr (Hops::permutes) {
      if (to.shift != 0) [[unlikely]] {
        const std::int32_t* lanes = hops.permutation(to.shift);
        for (auto& row : h.e)
          for (C& x : row) x = permute(x, lanes);
      }
    }
    if ((marked >> Step & 1u) != 0) [[unlikely]] {
      const C factor = hops.factor(tile, Step);
      for (auto& row : h.e)
        for (C& x : row) x = factor * x;
    }
    const auto link = links.link(8 * tile + Step);
    add<Step, 0>(link.template row<0>(), h, total);
    add<Step, 1>(link.template row<1>(), h, total);
    add<Step, 2>(link.template row<2>(), h, total);
  }
  template <int Step>
  TRELLIS_INLINE void project(const Stage& now, HalfSpinor<C> (&h)[at_once]) const {
    TRELLIS_UNROLL
    for (int v = 0; v < at_once; ++v) {
      h[v] = spin::project<Step, Adjoint, C>(typename Stage::Site{now.spinors[v], in});
      if constexpr (In::scaled || Links::scaled) {
        const Real scale = Links::scaled ? links.scale() * in.scale_of(now.scales[v]) : in.scale_of(now.scales[v]);
        for (auto& row : h[v].e)
          for (C& x : row) x = scale * x;
      }
    }
  }
  TRELLIS_INLINE static void multiply(const C& factor, HalfSpinor<C> (&h)[at_once]) {
    for (auto& half : h)
      for (auto& row : half.e)
        for (C& x : row) x = factor * x;
  }
  template <int Step, int c>
  TRELLIS_INLINE static void add_to_all(const LinkRow<C>& u, const HalfSpinor<C> (&h)[at_once], Spinor<C>* totals) {
    TRELLIS_UNROLL
    for (int v = 0; v < at_once; ++v) add<Step, c>(u, h[v], totals[v]);
  }
  // What row c of a link gives colour c of the sum.
  template <int Step, int c>
  TRELLIS_INLINE static void add(const LinkRow<C>& u, const HalfSpinor<C>& h, Spinor<C>& total) {
    const C h0 = fma(u.e[2], h.e[0][2], fma(u.e[1], h.e[0][1], u.e[0] * h.e[0][0]));
    const C h1 = fma(u.e[2], h.e[1][2], fma(u.e[1], h.e[1][1], u.e[0] * h.e[1][0]));
    if constexpr (Step == 0)
      spin::begin<Step, Adjoint>(h0, h1, c, total);
    else
      spin::reconstruct<Step, Adjoint>(h0, h1, c, total);
  }
  TRELLIS_INLINE Real factor_of_storage(int tile, int n) const {
    if constexpr (In::scaled && Links::scaled)
      return links.scale() * in.scale(tile, n);
    else if constexpr (In::scaled)
      return in.scale(tile, n);
    else
      return links.scale();
  }
  // Each of several vectors asks for what its own place needs, and for its part of a later link.
  template <int Step>
  TRELLIS_INLINE void ask(int tile, int n) const {
    const int number = 8 * tile + Step;
    constexpr bool may_be_fresh = Step != 0 && Step != 4 && Step != 7;
    if (may_be_fresh && ahead.fresh > 0 && hops.is_new(tile + ahead.fresh, Step))
      in.template prefetch<false>(hops.target(number + 8 * ahead.fresh), n);
    if (ahead.links > 0) {
      if (count == 1)
        links.prefetch(number + ahead.links);
      else
        for (int line = n; line < Links::lines; line += count) links.prefetch(number + ahead.links, line, 1);
    }
    if (ahead.spinors > 0) {
      if (count == 1)
        in.template prefetch<true>(hops.target(number + ahead.spinors), 0);
      else if (n + 1 < count)
        in.template prefetch<true>(hops.target(number), n + 1);
    }
  }
};

}  // namespace trellis::dirac
