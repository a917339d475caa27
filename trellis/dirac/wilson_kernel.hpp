// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the Wilson hopping term does on one tile of sites: one source, whatever lanes are filled with, however numbers
// stand in memory, and wherever the neighbours come from. Those are types:
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
#include "trellis/lattice/lattice.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

// How far ahead numbers are asked for; 0: it is left to the machine. Links so many hops before they are used, into the
// second level of cache; spinors so many hops before (of several vectors: the next one), into the first; and `fresh`
// tiles before, into the second, those that nobody has touched yet: a step forward in t, which runs outermost, and in
// other columns. What pays depends on the machine: it is tuned.
struct PrefetchDistances {
  int links = 0;
  int spinors = 0;
  int fresh = 0;
  bool operator==(const PrefetchDistances&) const = default;
};

template <class In, class Links, class Hops, bool Adjoint>
struct WilsonKernel {
  using C = typename In::complex_type;
  using Real = typename ComplexTraits<C>::real;
  static constexpr bool by_threads = ComplexTraits<C>::by_threads;  // each has a lane

  In in;
  Links links;
  Hops hops;
  PrefetchDistances ahead;
  int count;  // vectors side by side

  // total <- (D psi_n)(tile), or D^dagger
  TRELLIS_INLINE void sum(int tile, int n, Spinor<C>& total) const {
    if constexpr (by_threads) {
      sum_in_stages(tile, n, total, std::make_integer_sequence<int, 8>());
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

 private:
  // What a thread of a GPU loads for a hop, as it is in memory.
  struct Stage {
    typename In::Raw spinor[12];
    typename Links::Raw link[Links::elements];
    typename In::RawScale scale;

    struct Site {
      const Stage& stage;
      const In& in;
      TRELLIS_INLINE C load(int spin, int colour) const { return in.number(stage.spinor[3 * spin + colour]); }
      template <int Phase>
      TRELLIS_INLINE C combined(int upper, int lower, int colour) const requires
          requires(const In& vectors, const typename In::Raw& raw) {
        vectors.template combined<0>(raw, raw);
      }
      { return in.template combined<Phase>(stage.spinor[3 * upper + colour], stage.spinor[3 * lower + colour]); }
      TRELLIS_INLINE Real lower_sign() const requires requires(const In& vectors) { vectors.lower_sign(); }
      { return in.lower_sign(); }
    };
  };
  TRELLIS_INLINE void fetch(int tile, int n, int step, Hop to, Stage& stage) const {
    const auto from = in.site_at(to.tile - hops.in_origin, n, hops.displacement(to.shift));
    from.numbers(stage.spinor);
    stage.scale = from.scale();
    links.link_at(tile, step).numbers(stage.link);
  }
  // Numbers of the next hop are on their way while one is worked on: all loads of a hop at once are too few for memory,
  // and the compiler would wait for each branch.
  template <int... Step>
  TRELLIS_INLINE void sum_in_stages(int tile, int n, Spinor<C>& total, std::integer_sequence<int, Step...>) const {
    Hop to[8];
    load_line(hops.hops + 8 * tile, to);
    const unsigned marked = hops.marked(tile);
    Stage now;
    fetch(tile, n, 0, to[0], now);
    // 16 bits leave registers for loads ahead, which the compiler moves over no branch: most warps have no factor.
    if (!In::scaled || Real::any(marked != 0))
      (stage_hop<Step, true>(tile, n, marked, to, now, total), ...);
    else
      (stage_hop<Step, false>(tile, n, marked, to, now, total), ...);
  }
  template <int Step, bool Factors>
  TRELLIS_INLINE void stage_hop(int tile, int n, unsigned marked, const Hop (&to)[8], Stage& now,
                                Spinor<C>& total) const {
    Stage next;
    if constexpr (Step < 7) fetch(tile, n, Step + 1, to[Step + 1], next);
    HalfSpinor<C> h = spin::project<Step, Adjoint, C>(typename Stage::Site{now, in});
    if constexpr (In::scaled || Links::scaled) {
      const Real scale = Links::scaled ? links.scale() * in.scale_of(now.scale) : in.scale_of(now.scale);
      for (auto& row : h.e)
        for (C& x : row) x = scale * x;
    }
    if (Factors && (marked >> Step & 1u) != 0) {
      const C factor = hops.factor(tile, Step);
      for (auto& row : h.e)
        for (C& x : row) x = factor * x;
    }
    const auto link = Links::template from_raw<C>(now.link);
    add<Step, 0>(link.template row<0>(), h, total);
    add<Step, 1>(link.template row<1>(), h, total);
    add<Step, 2>(link.template row<2>(), h, total);
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
