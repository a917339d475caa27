// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hops of the staggered operator on several vectors as a work-group kernel (core/nd_range.hpp):
//   out(x) <- sum_k c_k(x) V_k(x) in(x + step k)
// A work-item is a vector at a site; a group has all vectors of some tiles. First it completes the links of these
// sites, c_k V_k with their third rows, in local memory, where each vector of a site completes every count-th of the
// eight. After a barrier all vectors of the site read them. apply_hops (staggered.hpp) is what operators call; this is
// the same sum in the model of GPUs, for any compiler and machine, and has the same bits. It is timed beside apply_hops
// by `trellis bench spmd --kernel staggered` and `trellis bench staggered --groups`. Cost: 570 flops per target site
// and vector; 144 numbers of local memory per site; the bytes of apply_hops.

#include <type_traits>

#include "trellis/core/nd_range.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_hops.hpp"
#include "trellis/dirac/staggered/staggered_passes.hpp"
#include "trellis/dirac/stencil/select.hpp"

namespace trellis::dirac {

template <class T, int W, int Each, stencil::Factors Are>
class StaggeredGroups {
  using C = complex<T>;
  using Place = ComplexTraits<complex<lanes_t<T, W>>>;
  using Hops = stencil::TableHops<complex<lanes_t<T, W>>, 8, Are>;
  static constexpr bool real = Are == stencil::Factors::real;

 public:
  // Numbers of local memory for each tile. The threads of a GPU read those of several sites at once: two more keep them
  // in different banks.
  static constexpr int link_numbers = 144 * W + (W == 1 ? 2 : 0);

  StaggeredGroups(const StaggeredLinks<T, W>& links, const HopTable<T, W>& table, const ColourVectorField<T, W>& in,
                  const ColourVectorField<T, W>& out, const LocalArray<T>& staged)
      : packed_(links.data() + std::int64_t(links.lattice().first_tile(out.parity())) * (96 * W)),
        hops_(stencil::hops_of<Are, 8>(table, out.parity())),
        in_(in.view().data()),
        out_(out.view().data()),
        count_(in.count()),
        staged_(staged) {}

  // {lane, vector, tile}
  TRELLIS_FUNCTION void operator()(const nd_item<3>& item) const noexcept {
    run(item, item.local_id(0), item.local_id(1), item.local_id(2), item.global_id(2));
  }
  // The same as one number: only the first dimension of a GPU is long enough for the tiles.
  TRELLIS_FUNCTION void operator()(const nd_item<1>& item) const noexcept {
    const Index of_tile = Index(W) * (count_ / Each), id = item.local_id() % of_tile;
    run(item, id % W, id / W, item.local_id() / of_tile, item.global_id() / of_tile);
  }

 private:
  // The numbers of a packed link that belong to a lane.
  struct PackedLink {
    const T* numbers;
    Index lane;
    static constexpr bool scaled = false;
    TRELLIS_INLINE C element(int k) const { return number(numbers + 2 * W * k, lane); }
  };

  TRELLIS_INLINE static C number(const T* p, Index lane) {
    return {p[Place::place(0, 0) + lane * step], p[Place::place(0, 1) + lane * step]};
  }
  static constexpr Index step = lane_group == 2 ? 2 : 1;  // from a lane to the next

  template <class Item>
  TRELLIS_INLINE void run(const Item& item, Index lane, Index part, Index own_tile, Index tile) const {
    T* const links = item.local(staged_) + own_tile * link_numbers;
    for (Index k = part; k < 8; k += count_ / Each) complete(tile, k, lane, links + k * (18 * W));
    item.barrier();
    const Index vector = part * Each;
    ColourVector<T> totals[Each];
    add_hop<true>(tile, 0, lane, vector, links, totals);
    for (int k = 1; k < 8; ++k) add_hop<false>(tile, k, lane, vector, links + k * (18 * W), totals);
    TRELLIS_UNROLL
    for (int v = 0; v < Each; ++v) {
      T* const to = vector_at(out_, tile, vector + v);
      for (int i = 0; i < 3; ++i) {
        T* const p = to + i * colour_step();
        p[Place::place(0, 0) + lane * step] = totals[v].e[i].re;
        p[Place::place(0, 1) + lane * step] = totals[v].e[i].im;
      }
    }
  }

  TRELLIS_INLINE void complete(Index tile, Index k, Index lane, T* link) const {
    const auto rows =
        stencil::rows_of<C, 12, stencil::RoundedThirdRow>(PackedLink{packed_ + (tile * 8 + k) * (12 * W), lane});
    const T* const factor = hops_.factors + Index(hops_.numbers[tile * 8 + k]) * (2 * W);
    store_row<0>(rows.template row<0>(), factor, lane, link);
    store_row<1>(rows.template row<1>(), factor, lane, link);
    store_row<2>(rows.template row<2>(), factor, lane, link);
  }
  template <int I>
  TRELLIS_INLINE void store_row(const LinkRow<C>& row, const T* factor, Index lane, T* link) const {
    const C c = number(factor, lane);
    for (int j = 0; j < 3; ++j) {
      T* const p = link + (3 * I + j) * (2 * W);
      C e;
      if constexpr (real)
        e = c.re * row.e[j];
      else
        e = c * row.e[j];
      p[Place::place(0, 0) + lane * step] = e.re;
      p[Place::place(0, 1) + lane * step] = e.im;
    }
  }

  template <bool First>
  TRELLIS_INLINE void add_hop(Index tile, int k, Index lane, Index vector, const T* link,
                              ColourVector<T> (&totals)[Each]) const {
    const Hop to = hops_.hops[tile * 8 + k];
    const Index from = to.tile - hops_.in_origin;
    // The rows are added in another order where lanes are permuted. Compilers would merge two sides that are alike, and
    // load from an address that depends on the side, lane by lane.
    ColourVector<T> psi[Each];
    if (to.shift == 0) {
      load(from, vector, lane, psi);
      add_row<0, First>(link, lane, psi, totals);
      add_row<1, First>(link, lane, psi, totals);
      add_row<2, First>(link, lane, psi, totals);
    } else {
      load(from, vector, hops_.lanes[to.shift * W + lane], psi);
      add_row<2, First>(link, lane, psi, totals);
      add_row<1, First>(link, lane, psi, totals);
      add_row<0, First>(link, lane, psi, totals);
    }
  }
  TRELLIS_INLINE void load(Index tile, Index vector, Index lane, ColourVector<T> (&psi)[Each]) const {
    TRELLIS_UNROLL
    for (int v = 0; v < Each; ++v) {
      const T* const from = vector_at(in_, tile, vector + v);
      for (int i = 0; i < 3; ++i) psi[v].e[i] = number(from + i * colour_step(), lane);
    }
  }
  template <int I, bool First>
  TRELLIS_INLINE static void add_row(const T* link, Index lane, const ColourVector<T> (&psi)[Each],
                                     ColourVector<T> (&totals)[Each]) {
    const LinkRow<C> row{number(link + (3 * I) * (2 * W), lane), number(link + (3 * I + 1) * (2 * W), lane),
                         number(link + (3 * I + 2) * (2 * W), lane)};
    TRELLIS_UNROLL
    for (int v = 0; v < Each; ++v) StaggeredHops::add<0, I, First>(row, psi[v], totals[v]);
  }

  // Vectors lie one after another, or side by side.
  TRELLIS_INLINE T* vector_at(T* data, Index tile, Index vector) const {
    return data + tile * count_ * (6 * W) + vector * (fields_side_by_side<W> ? 2 : 6 * W);
  }
  TRELLIS_INLINE Index colour_step() const { return fields_side_by_side<W> ? 2 * Index(count_) : 2 * W; }

  const T* packed_;  // from the first tile written to
  Hops hops_;
  T *in_, *out_;
  int count_;
  LocalArray<T> staged_;
};

// The largest number of tiles that divides `tiles`, with at most this many work-items, and what fits in local memory.
int tiles_of_group(int tiles, int work_items_of_tile, std::size_t bytes_of_tile, int most_work_items);

// As apply_hops, Each vectors a work-item, which divides their number. Are: what the table's factors are.
// most_work_items: of a group, which has at least one tile. Throws Error if a tile alone has more than 1,024
// work-items, or more local memory than there is.
template <WorkItems Way = WorkItems::automatic, int Each = 1, stencil::Factors Are = stencil::Factors::real, class T,
          int W>
void apply_hops_by_groups(const StaggeredLinks<T, W>& links, const HopTable<T, W>& table,
                          const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out, int most_work_items) {
  using Groups = StaggeredGroups<T, W, Each, Are>;
  staggered_passes::require_matching(links, in, out, false);
  if (links.kind() != LinkKind::su3) fail("staggered hops by groups: only with links in SU(3)");
  exchange_vectors(in);
  if (in.count() % Each != 0) fail("staggered hops by groups: {} vectors, {} for each work-item", in.count(), Each);
  const int tiles = out.tiles(), parts = in.count() / Each;
  const int together = tiles_of_group(tiles, W * parts, Groups::link_numbers * sizeof(T), most_work_items);
  const Kernel cost = staggered_passes::hop_cost<staggered_passes::Su3Links, T>("staggered hops by groups", in, 2, 0);
  LocalMemory memory;
  const Groups kernel(links, table, in, out, memory.array<T>(Index(together) * Groups::link_numbers));
  if constexpr (fields_on_host)
    parallel_for(cost,
                 nd_range<3, FieldSpace>{{W, parts, tiles}, {W, parts, together}}.with(memory).by(work_items<Way>),
                 kernel);
  else
    parallel_for(cost, nd_range<1, FieldSpace>{Index(tiles) * W * parts, Index(together) * W * parts}.with(memory),
                 kernel);
}

}  // namespace trellis::dirac
