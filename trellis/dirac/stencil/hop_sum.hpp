// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the sum over the hops of a tile is computed,
//   total(x) = sum_k R_k [ c_k(x) V_k(x) P_k psi(x + step k) ],
// for any operator, lanes, and storage of vectors and links. An Operator defines the physics:
//   pattern, hops                    where hops lead (hop_pattern.hpp), and how many there are
//   spins                            of a vector, which has 3 x `spins` complex numbers
//   Site<C>, Crossing<C>             in registers: a vector, and the part of it that crosses a link
//   project<k>(psi) -> Crossing<C>   P_k; psi.load(spin, colour) gives a number
//   add<k, i, first>(u, h, total)    adds R_k (u h), u being row i of a link, to total; if `first`, sets total
//   hops_alike                       true if these do not depend on k
// Vectors, Links, Hops, Ahead: vectors.hpp, links.hpp, hops.hpp, prefetch.hpp. The order of operations is fixed: all
// schedules and storages give the same bits for the same links (rebuilt third rows differ). The schedules:
//   in registers          host: one vector after another; links stay in the first-level cache for the next one
//   all vectors           host, small vectors: a link in registers is applied to all; their sums are in the cache
//   in stages             GPU: the numbers of the next hop are loaded while this one is computed
//   by shared links       GPU, vectors side by side: the threads of a warp complete each link once (shared_links.hpp)

#include <utility>

#include "trellis/dirac/stencil/hops.hpp"
#include "trellis/dirac/stencil/prefetch.hpp"
#include "trellis/dirac/stencil/registers.hpp"
#include "trellis/dirac/stencil/shared_links.hpp"

namespace trellis::dirac::stencil {

// What a kernel works on at a time: the only vector of a site, as many as fit in the registers of a GPU thread, or all.
enum class Takes { one_vector, batches, all_vectors };

// StagesAhead: how many hops before their turn the numbers are loaded, in stages.
template <class Operator, class Vectors, class Links, class Hops, class Ahead, Takes What, int StagesAhead = 1>
struct HopSum {
  using C = typename Vectors::complex_type;
  using Real = typename ComplexTraits<C>::real;
  using Scalar = typename ComplexTraits<C>::scalar;
  using Site = typename Operator::template Site<C>;
  using Crossing = typename Operator::template Crossing<C>;
  static constexpr const HopPattern& pattern = Operator::pattern;
  static constexpr int hop_count = Operator::hops, components = 3 * Operator::spins;
  static constexpr Takes takes = What;
  static constexpr int at_once = Vectors::at_once;
  static constexpr bool shares_links = Vectors::shares_links, whole_batches = shares_links || at_once == 1;
  static constexpr bool by_threads = ComplexTraits<C>::by_threads || Vectors::side_by_side;
  static constexpr bool all_have_factors = Hops::factors_are != Factors::marked;

  Vectors in;
  Links links;
  Hops hops;
  Ahead ahead;

  // Least number of blocks per GPU multiprocessor, found by measurement. Left alone, the compiler uses too many
  // registers where threads share links, and for one colour vector too few for the loads that must be in flight.
  static constexpr int least_blocks(bool in_sums) {
    if (shares_links) return components > 3 ? 3 : in_sums ? 0 : 6;
    if (takes != Takes::one_vector || ComplexTraits<C>::width == 1) return 0;
    if (Vectors::scaled) return in_sums ? 0 : 6;
    return in_sums && is_single<Scalar> ? 8 : 0;
  }

  // totals[v] <- the sum of vector n + v
  TRELLIS_INLINE void operator()(int tile, int n, Site (&totals)[at_once]) const {
    if constexpr (shares_links)
      by_shared_links(tile, n, totals);
    else if constexpr (by_threads)
      in_stages(tile, n, totals, std::make_integer_sequence<int, hop_count>());
    else
      in_registers(tile, n, totals[0]);
  }
  // All vectors of a tile, into totals[vector][component], the layout of a field without scales.
  TRELLIS_INLINE void all_vectors(int tile, Scalar* totals) const
    requires(!by_threads)
  {
    all_vectors_of_part<0>(tile, totals);
    if constexpr (Links::parts > 1) all_vectors_of_part<1>(tile, totals);
  }

 private:
  // A complex factor of one vector, or any factor of several, is multiplied into the link.
  static constexpr bool factor_on_link =
      all_have_factors && (takes != Takes::one_vector || Hops::factors_are == Factors::complex);
  static constexpr bool has_scale = Vectors::scaled || Links::scaled;

  // Hops with links in the same storage.
  static constexpr int hops_of_part = hop_count / Links::parts;
  template <int Part>
  TRELLIS_INLINE auto link_in_memory(int hop) const {
    if constexpr (Links::parts > 1)
      return links.template link<Part>(hop);
    else
      return links.link(hop);
  }
  template <int Part>
  TRELLIS_INLINE void fetch_link(int tile, int k, typename Links::Raw (&raw)[Links::elements]) const {
    if constexpr (Links::parts > 1)
      links.template fetch<Part>(hop_count * tile, k, raw);
    else
      links.fetch(hop_count * tile, k, raw);
  }
  template <int Part>
  TRELLIS_INLINE auto link_from_raw(const typename Links::Raw (&raw)[Links::elements]) const {
    if constexpr (Links::parts > 1)
      return links.template from_raw<Part>(raw);
    else
      return links.from_raw(raw);
  }
  template <int Part>
  TRELLIS_INLINE auto link_scale() const {
    if constexpr (Links::parts > 1)
      return links.template scale<Part>();
    else
      return links.scale();
  }

  // The rows of a link, times its factor if all hops have one.
  template <class Rows, class Factor>
  TRELLIS_INLINE static LinkMatrix<C> link_of(const Rows& rows, const Factor& factor) {
    const LinkRow<C> row[3] = {rows.template row<0>(), rows.template row<1>(), rows.template row<2>()};
    LinkMatrix<C> u;
    if constexpr (all_have_factors) {
      const auto c = factor();
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) u.e[i][j] = c * row[i].e[j];
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) u.e[i][j] = row[i].e[j];
    }
    return u;
  }
  // Numbers in memory times this are the true ones.
  template <int Part>
  TRELLIS_INLINE Real product_of_scales(const Real& of_vector) const {
    if constexpr (Links::scaled)
      return link_scale<Part>() * of_vector;
    else
      return of_vector;
  }
  template <int Part>
  TRELLIS_INLINE Real scale_at(int tile, int n) const {
    if constexpr (Vectors::scaled)
      return product_of_scales<Part>(in.scale(tile, n));
    else
      return link_scale<Part>();
  }
  template <int K, bool First, class Rows, int N>
  TRELLIS_INLINE static void add(const Rows& u, const Crossing (&h)[N], Site* totals) {
    add_row<K, 0, First>(u.template row<0>(), h, totals);
    add_row<K, 1, First>(u.template row<1>(), h, totals);
    add_row<K, 2, First>(u.template row<2>(), h, totals);
  }
  // Applies a matrix in registers to one vector after another.
  template <int K, bool First, int N>
  TRELLIS_INLINE static void add(const LinkMatrix<C>& u, const Crossing (&h)[N], Site* totals) {
    TRELLIS_UNROLL
    for (int v = 0; v < N; ++v) {
      Operator::template add<K, 0, First>(u.template row<0>(), h[v], totals[v]);
      Operator::template add<K, 1, First>(u.template row<1>(), h[v], totals[v]);
      Operator::template add<K, 2, First>(u.template row<2>(), h[v], totals[v]);
    }
  }
  template <int K, int I, bool First, int N>
  TRELLIS_INLINE static void add_row(const LinkRow<C>& row, const Crossing (&h)[N], Site* totals) {
    TRELLIS_UNROLL
    for (int v = 0; v < N; ++v) Operator::template add<K, I, First>(row, h[v], totals[v]);
  }
  // The part of a vector that crosses the link of a hop, in this tile's lanes.
  template <int K>
  TRELLIS_INLINE Crossing crossing(Hop to, int n) const {
    Crossing h = Operator::template project<K, C>(in.site(to.tile, n));
    if constexpr (has_scale) h = scale_at<K / hops_of_part>(to.tile, n) * h;
    if constexpr (Hops::permutes) {
      if (to.shift != 0) [[unlikely]]
        h = permute(h, hops.permutation(to.shift));
    }
    return h;
  }

  // The schedule "in registers".
  TRELLIS_INLINE void in_registers(int tile, int n, Site& total) const {
    if constexpr (Operator::hops_alike) {
      total = Site::zero();
      in_registers_of_part<0>(tile, n, total);
      if constexpr (Links::parts > 1) in_registers_of_part<1>(tile, n, total);
    } else {
      add_hops(tile, n, hops.marked(tile), total, std::make_integer_sequence<int, hop_count>());
    }
  }
  template <int Part>
  TRELLIS_INLINE void in_registers_of_part(int tile, int n, Site& total) const {
    for (int k = Part * hops_of_part; k < (Part + 1) * hops_of_part; ++k) {
      ahead.ask_for_hop(*this, hop_count * tile + k);
      add_hop<Part * hops_of_part, false>(tile, k, n, 0, total);
    }
  }
  template <int... K>
  TRELLIS_INLINE void add_hops(int tile, int n, unsigned marked, Site& total, std::integer_sequence<int, K...>) const {
    (add_hop<K, (K == 0)>(tile, K, n, marked, total), ...);
  }
  template <int K, bool First>
  TRELLIS_INLINE void add_hop(int tile, int k, int n, unsigned marked, Site& total) const {
    // Read before prefetching: otherwise g++ 12 keeps addresses in vector registers, which costs a sixth of the time.
    const Hop to = hops(tile, k);
    if constexpr (!Operator::hops_alike) ahead.template ask<K>(*this, tile, n);
    Crossing h[1] = {crossing<K>(to, n)};
    const auto u = link_in_memory<K / hops_of_part>(hop_count * tile + k);
    if constexpr (factor_on_link) {
      add<K, First>(link_of(u, [&] { return hops.factor(tile, k); }), h, &total);
    } else {
      if constexpr (all_have_factors)
        h[0] = hops.factor(tile, k) * h[0];
      else if ((marked >> k & 1u) != 0) [[unlikely]]
        h[0] = hops.factor(tile, k) * h[0];
      add<K, First>(u, h, &total);
    }
  }

  // The schedule "all vectors".
  template <int Part>
  TRELLIS_INLINE void all_vectors_of_part(int tile, Scalar* totals) const {
    for (int k = Part * hops_of_part; k < (Part + 1) * hops_of_part; ++k) {
      const int hop = hop_count * tile + k;
      ahead.ask_for_link(*this, hop);
      const LinkMatrix<C> u = link_of(link_in_memory<Part>(hop), [&] { return hops.factor(tile, k); });
      const int later = hops.target(hop + ahead.vectors);
      if (k == 0)
        add_to_all<Part, true>(u, hops(tile, k), later, totals);
      else
        add_to_all<Part, false>(u, hops(tile, k), later, totals);
    }
  }
  template <int Part, bool First>
  TRELLIS_INLINE void add_to_all(const LinkMatrix<C>& u, Hop to, int later, Scalar* totals) const {
    using Traits = ComplexTraits<C>;
    for (int n = 0; n < in.count; ++n) {
      ahead.ask_for_vector(*this, later, n);
      const Crossing h[1] = {crossing<Part * hops_of_part>(to, n)};
      Scalar* const numbers = totals + n * (components * 2 * Traits::width);
      Site total;
      if constexpr (!First)
        for (int i = 0; i < components; ++i) total.e[i] = Traits::load(numbers + i * 2 * Traits::width);
      add<0, First>(u, h, &total);
      for (int i = 0; i < components; ++i) Traits::store(numbers + i * 2 * Traits::width, total.e[i]);
    }
  }

  // The schedule "in stages". A Stage is what a thread loads for a hop, as it is in memory.
  struct NoFactor {};
  struct Stage {
    typename Vectors::Raw vectors[at_once][components];
    typename Links::Raw link[Links::elements];
    typename Vectors::RawScale scales[at_once];
    std::conditional_t<all_have_factors, typename Hops::Factor, NoFactor> factor;

    // A vector to be projected. Operators may combine two numbers, and change a sign.
    struct Vector {
      const typename Vectors::Raw (&numbers)[components];
      const Vectors& in;
      TRELLIS_INLINE C load(int spin, int colour) const { return in.number(numbers[3 * spin + colour]); }
      template <int Phase>
      TRELLIS_INLINE C combined(int upper, int lower, int colour) const
        requires requires(const Vectors& v, const typename Vectors::Raw& raw) { v.template combined<0>(raw, raw); }
      {
        return in.template combined<Phase>(numbers[3 * upper + colour], numbers[3 * lower + colour]);
      }
      TRELLIS_INLINE Real lower_sign() const
        requires requires(const Vectors& v) { v.lower_sign(); }
      {
        return in.lower_sign();
      }
    };
  };
  template <class Targets>
  TRELLIS_INLINE void fetch_vectors(const Targets& to, int k, int n, Stage& stage) const {
    in.fetch(to.tile(k), n, to.displacement(k), stage.vectors, stage.scales);
  }
  template <int K>
  TRELLIS_INLINE void project(const Stage& now, Crossing (&h)[at_once]) const {
    TRELLIS_UNROLL
    for (int v = 0; v < at_once; ++v) {
      h[v] = Operator::template project<K, C>(typename Stage::Vector{now.vectors[v], in});
      if constexpr (Vectors::scaled)
        h[v] = product_of_scales<K / hops_of_part>(now.scales[v]) * h[v];
      else if constexpr (Links::scaled)
        h[v] = link_scale<K / hops_of_part>() * h[v];
    }
  }
  template <class Factor>
  TRELLIS_INLINE static void multiply(const Factor& factor, Crossing (&h)[at_once]) {
    for (Crossing& each : h) each = factor * each;
  }

  // The loads of one hop are too few to keep memory busy, and the compiler would wait at each branch.
  template <int... K>
  TRELLIS_INLINE void in_stages(int tile, int n, Site* totals, std::integer_sequence<int, K...>) const {
    const auto to = hops.targets(tile);
    const unsigned marked = hops.marked(tile);
    Stage stages[StagesAhead + 1];
    (fetch_first<K>(tile, n, to, stages), ...);
    // 16-bit data leave registers for loads ahead, but the compiler moves none across a branch. Most warps have no
    // factor.
    bool factors = true;
    if constexpr (Vectors::scaled && !all_have_factors && ComplexTraits<C>::by_threads)
      factors = Real::any(marked != 0);
    if (factors)
      (stage_hop<K, true>(tile, n, marked, to, stages, totals), ...);
    else if constexpr (Vectors::scaled && !all_have_factors)
      (stage_hop<K, false>(tile, n, marked, to, stages, totals), ...);
  }
  template <int K, class Targets>
  TRELLIS_INLINE void fetch_first(int tile, int n, const Targets& to, Stage (&stages)[StagesAhead + 1]) const {
    if constexpr (K < StagesAhead && K < hop_count) fetch<K>(tile, n, to, stages[K]);
  }
  template <int K, class Targets>
  TRELLIS_INLINE void fetch(int tile, int n, const Targets& to, Stage& stage) const {
    fetch_vectors(to, K, n, stage);
    fetch_link<K / hops_of_part>(tile, K, stage.link);
    if constexpr (all_have_factors) stage.factor = to.factor(K);
  }
  template <int K, bool MayHaveFactor, class Targets>
  TRELLIS_INLINE void stage_hop(int tile, int n, unsigned marked, const Targets& to, Stage (&stages)[StagesAhead + 1],
                                Site* totals) const {
    constexpr int next = K + StagesAhead, all = StagesAhead + 1;
    if constexpr (next < hop_count) fetch<next>(tile, n, to, stages[next % all]);
    const Stage& now = stages[K % all];
    Crossing h[at_once];
    project<K>(now, h);
    const auto u = link_from_raw<K / hops_of_part>(now.link);
    if constexpr (factor_on_link) {
      add<K, K == 0>(link_of(u, [&] { return now.factor; }), h, totals);
    } else {
      if constexpr (all_have_factors)
        multiply(now.factor, h);
      else if (MayHaveFactor && (marked >> K & 1u) != 0)
        multiply(hops.factor(tile, K), h);
      add<K, K == 0>(u, h, totals);
    }
  }

  // The schedule "by shared links": four hops at a time.
  using Shared = SharedLinks<C, hop_count>;
  struct Completed {
    const HopSum& sum;
    TRELLIS_INLINE void operator()(int tile, int k, C (&e)[9]) const {
      if (Links::parts > 1 && k >= hops_of_part)
        complete<Links::parts - 1>(tile, k, e);
      else
        complete<0>(tile, k, e);
    }
    template <int Part>
    TRELLIS_INLINE void complete(int tile, int k, C (&e)[9]) const {
      typename Links::Raw raw[Links::elements];
      sum.template fetch_link<Part>(tile, k, raw);
      const LinkMatrix<C> u = link_of(sum.template link_from_raw<Part>(raw), [&] { return sum.hops.factor(tile, k); });
      for (int i = 0; i < 9; ++i) e[i] = u.e[i / 3][i % 3];
    }
  };
  TRELLIS_INLINE void by_shared_links(int tile, int n, Site (&totals)[at_once]) const {
    const auto to = hops.targets(tile);
    const unsigned marked = hops.marked(tile);
    Stage first;
    fetch_vectors(to, 0, n, first);
    typename Shared::Room own;
    const C* shared = nullptr;
    add_fours(tile, n, marked, to, first, own, shared, totals, std::make_integer_sequence<int, hop_count / 4>());
  }
  template <int... Four, class Targets>
  TRELLIS_INLINE void add_fours(int tile, int n, unsigned marked, const Targets& to, const Stage& first,
                                typename Shared::Room& own, const C*& shared, Site* totals,
                                std::integer_sequence<int, Four...>) const {
    (add_four<4 * Four>(tile, n, marked, to, first, own, shared, totals), ...);
  }
  template <int K, class Targets>
  TRELLIS_INLINE void add_four(int tile, int n, unsigned marked, const Targets& to, const Stage& first,
                               typename Shared::Room& own, const C*& shared, Site* totals) const {
    const int batches = in.count / at_once;
    if (K % 8 == 0 || Shared::in_halves(batches))
      shared = Shared::fill(tile, n / at_once, batches, K, Completed{*this}, own);
    const auto four = std::make_integer_sequence<int, 4>();
    // Twice the code, but a branch at each hop would delay the loads of the next one.
    bool factors = false;
    if constexpr (!all_have_factors) factors = (marked >> K & 15u) != 0;
    if (!factors)
      add_shared<K, false>(tile, n, to, shared, first, totals, four);
    else if constexpr (!all_have_factors)
      add_shared<K, true>(tile, n, to, shared, first, totals, four);
  }
  template <int K, bool Marked, class Targets, int... Next>
  TRELLIS_INLINE void add_shared(int tile, int n, const Targets& to, const C* shared, const Stage& first, Site* totals,
                                 std::integer_sequence<int, Next...>) const {
    (add_hop_of_shared<K + Next, Marked>(tile, n, to, shared + 9 * (K + Next), first, totals), ...);
  }
  template <int K, bool Marked, class Targets>
  TRELLIS_INLINE void add_hop_of_shared(int tile, int n, const Targets& to, const C* u, const Stage& first,
                                        Site* totals) const {
    Stage now;
    if constexpr (K == 0)
      now = first;
    else
      fetch_vectors(to, K, n, now);
    Crossing h[at_once];
    project<K>(now, h);
    if constexpr (Marked)
      if ((hops.marked(tile) >> K & 1u) != 0) multiply(hops.factor(tile, K), h);
    add_row<K, 0, K == 0>(LinkRow<C>{u[0], u[1], u[2]}, h, totals);
    add_row<K, 1, K == 0>(LinkRow<C>{u[3], u[4], u[5]}, h, totals);
    add_row<K, 2, K == 0>(LinkRow<C>{u[6], u[7], u[8]}, h, totals);
  }
};

}  // namespace trellis::dirac::stencil
