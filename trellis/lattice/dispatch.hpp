// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops and sums over the tiles of a lattice.
//   for_each_tile(kernel, lattice, f)                    f(tile), or f(tile, next): next is visited after tile
//   for_each_tile(kernel, lattice, parity, f)            only the even (0) or odd (1) tiles
//   for_each_tile(kernel, lattice, tiles, f)             only some, of both parities (tiles_apart, all_tiles)
//   for_each_link(kernel, lattice, f)                    f(tile, mu), or f(tile, next, mu), for the four directions;
//                                                        also with tiles
//   for_each_plane(kernel, lattice, tiles, f)            the same for the planes 0 to 5
//   for_joined_parts(kernel, lattice, tiles, f)          f.part(tile, next, n) for the F::parts parts of a tile, then
//                                                        f.join(tile, next, k, part) for k < F::joins
//   for_each_half_tile(kernel, lattice, f)               f(tile), tiles of one parity numbered from 0 (ParityField)
//   for_each_vector(kernel, lattice, count, f)           f(tile, n) for `count` vectors on the tiles of one parity
//   sum_over_tiles<S, K>(kernel, lattice, f)             f(tile, sums) or f(tile, next, sums), ExactAccumulator<S>
//                                                        sums[K]; returns K doubles
//   sum_over_half_tiles<S, K>(kernel, lattice, f)        f(tile, sums), tiles of one parity
//   sum_over_vectors<S>(kernel, lattice, count, f)       f(tile, n) -> S, a term of vector n; count <= 64 doubles
//   for_each_batch<N>(kernel, lattice, count, f)         f(tile, first, last): vectors first <= n < last of a tile
//   sum_over_batches<S, N>(kernel, lattice, count, f)    f(tile, first, last, sums): sums[n - first] is for vector n
// Sums over vectors and batches can be left in a FieldSums, passed as the last argument, for kernels that follow
// (core/sums/kernel_sums.hpp). Sums are over all ranks, which must make these calls in the same order.
// Stencils visit the tiles of a parity as the numbers of their neighbours arrive (over_halo):
//   for_each_batch_of_stencil<N>(kernel, in, lattice, parity, count, f)     parity: of the tiles; in: HaloParts
//   for_each_half_tile_of_stencil(kernel, in, lattice, parity, f)
//   sum_over_batches_of_stencil<S, N>(kernel, in, lattice, parity, count, f, to), sum_over_vectors_of_stencil<S>(...)
// The last argument may be the pattern of their hops (hop_pattern.hpp), which determines how deep the ghosts are that
// they wait for; without it, nearest neighbours.
// A batch is all vectors on a host, at most N for a GPU thread (core/tile_policy.hpp).
// f begins with TRELLIS_KERNEL: it runs where fields live. A kernel is a name, or a name with bytes and flops
// (core/profile/profile.hpp). A tile's index is the place in memory. Sums have the same bits for every lane count,
// thread count and tile order, on every machine.

#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis {

// The order in which loops visit tiles: as in memory, but even and odd tiles of the same place alternate.
class TileOrder {
 public:
  explicit TileOrder(const Lattice& lattice)
      : half_(lattice.order() == SiteOrder::even_odd ? lattice.first_tile(1) : 0) {}
  TRELLIS_INLINE int operator()(std::int64_t n) const {
    return half_ == 0 ? static_cast<int>(n) : static_cast<int>((n >> 1) + (n & 1) * half_);
  }

 private:
  int half_;
};

using FieldSums = KernelSums<FieldSpace>;

namespace dispatch_detail {

inline TilePolicy<FieldSpace> tiles_of(const Lattice& lattice) { return {lattice.tiles(), lattice.lanes()}; }
inline TilePolicy<FieldSpace> half_tiles_of(const Lattice& lattice, int vectors = 0, const TileSet& tiles = {}) {
  return {tiles.is_all() ? lattice.tiles() / 2 : tiles.count, lattice.lanes(), vectors};
}
// The share of a kernel's cost, over all tiles of a parity, that falls on some of them.
Kernel part_of(Kernel kernel, const Lattice& lattice, const TileSet& tiles);
// The share of its cost over all tiles.
Kernel part_of_all(Kernel kernel, const Lattice& lattice, const TileSet& tiles);
// Adds up the sums of all ranks.
void join_ranks(const Kernel& kernel, const Lattice& lattice, std::span<ExactSum> sums);

// On a host: the part that drives a kernel, compiled once.
using backend::TileLoop, backend::TileSums;
void run_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity, int count,
                 const TileLoop& loop, const HopPattern& pattern);
void sum_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity, int count,
                 const TileSums& sums, const FieldSums& to, const HopPattern& pattern);
void sum_tiles(const Kernel& kernel, const Lattice& lattice, int tiles, const TileSums& sums, std::span<double> values);
std::vector<double> sum_vectors(const Kernel& kernel, const Lattice& lattice, int count, const TileSums& sums);
void sum_vectors(const Kernel& kernel, const Lattice& lattice, int count, const TileSums& sums, const FieldSums& to);

// The n-th tile of all or of a list, and the one visited after it: something to prefetch.
struct TilesInOrder {
  TileOrder order;
  int tiles;
  const std::int32_t* list;

  TilesInOrder(const Lattice& lattice, const TileSet& of) : order(lattice), tiles(of.count), list(of.list) {}
  TRELLIS_INLINE int at(int n) const { return list == nullptr ? order(n) : list[n]; }
  TRELLIS_INLINE int after(int n) const { return at(n + 1 < tiles ? n + 1 : n); }
};
// Calls f for a tile, also with the next one if f takes it.
template <class F>
struct Visit {
  static constexpr int least_blocks = least_blocks_of<F>;
  F f;
  TilesInOrder tiles;

  int place(int n) const { return tiles.at(n); }
  TRELLIS_EITHER_SIDE
  template <class... More>
  TRELLIS_INLINE void operator()(int n, More&... more) const {
    if constexpr (std::is_invocable_v<F, int, int, More&...>)
      f(tiles.at(n), tiles.after(n), more...);
    else
      f(tiles.at(n), more...);
  }
};
// The same for a part of a tile's work: one of its links or planes.
template <class F>
struct VisitParts {
  static constexpr int least_blocks = least_blocks_of<F>;
  F f;
  TilesInOrder tiles;
  int place(int n) const { return tiles.at(n); }
  TRELLIS_EITHER_SIDE
  TRELLIS_INLINE void operator()(int n, int part) const {
    if constexpr (std::is_invocable_v<F, int, int, int>)
      f(tiles.at(n), tiles.after(n), part);
    else
      f(tiles.at(n), part);
  }
};
template <class F>
struct VisitJoined {
  static constexpr int least_blocks = least_blocks_of<F>, parts = F::parts, joins = F::joins;
  static constexpr int parts_of_thread = trellis::parts_of_thread<F>;
  using S = typename F::S;
  using Part = typename F::Part;
  F f;
  TilesInOrder tiles;
  int place(int n) const { return tiles.at(n); }
  TRELLIS_INLINE Part part(int n, int part) const { return f.part(tiles.at(n), tiles.after(n), part); }
  template <class Parts>
  TRELLIS_INLINE void join(int n, int k, const Parts& part) const {
    f.join(tiles.at(n), tiles.after(n), k, part);
  }
};
// The n-th tile of a set. Also used for whole parities: that costs a load per tile and saves a second kernel.
template <class F>
struct VisitSet {
  static constexpr int least_blocks = least_blocks_of<F>;
  F f;
  const std::int32_t* list;
  TRELLIS_INLINE int tile(int n) const { return list == nullptr ? n : list[n]; }
  TRELLIS_EITHER_SIDE
  TRELLIS_INLINE void operator()(int n) const
    requires(std::is_invocable_v<F, int>)
  {
    f(tile(n));
  }
  TRELLIS_EITHER_SIDE
  TRELLIS_INLINE auto operator()(int n, int vector) const
    requires(std::is_invocable_v<F, int, int>)
  {
    return f(tile(n), vector);
  }
  TRELLIS_EITHER_SIDE
  TRELLIS_INLINE void operator()(int n, int first, int last) const
    requires(std::is_invocable_v<F, int, int, int>)
  {
    f(tile(n), first, last);
  }
  TRELLIS_EITHER_SIDE
  template <class Sums>
  TRELLIS_INLINE void operator()(int n, int first, int last, Sums* sums) const {
    f(tile(n), first, last, sums);
  }
};
template <class F>
struct VisitFrom {
  static constexpr int least_blocks = least_blocks_of<F>;
  F f;
  int first;
  int place(int n) const { return n + first; }
  TRELLIS_EITHER_SIDE
  TRELLIS_INLINE void operator()(int n) const { f(n + first); }
};

}  // namespace dispatch_detail

inline TileSet all_tiles(const Lattice& lattice) { return {nullptr, lattice.tiles()}; }

template <class F>
void for_each_tile(const Kernel& kernel, const Lattice& lattice, const TileSet& tiles, const F& f) {
  if (tiles.count == 0) return;
  parallel_for(dispatch_detail::part_of_all(kernel, lattice, tiles),
               TilePolicy<FieldSpace>(tiles.count, lattice.lanes()), dispatch_detail::Visit<F>{f, {lattice, tiles}});
}
template <class F>
void for_each_tile(const Kernel& kernel, const Lattice& lattice, const F& f) {
  for_each_tile(kernel, lattice, all_tiles(lattice), f);
}

template <class F>
void for_each_tile(const Kernel& kernel, const Lattice& lattice, int parity, const F& f) {
  if (lattice.order() != SiteOrder::even_odd) fail("{}: a lattice in lexicographic order has no parities", kernel.name);
  parallel_for(kernel, dispatch_detail::half_tiles_of(lattice),
               dispatch_detail::VisitFrom<F>{f, lattice.first_tile(parity)});
}

namespace dispatch_detail {
template <class F>
void for_each_part(const Kernel& kernel, const Lattice& lattice, const TileSet& tiles, int parts, const F& f) {
  if (tiles.count == 0) return;
  parallel_for(part_of_all(kernel, lattice, tiles), TilePolicy<FieldSpace>(tiles.count, lattice.lanes(), parts),
               VisitParts<F>{f, {lattice, tiles}});
}
}  // namespace dispatch_detail

template <class F>
void for_each_link(const Kernel& kernel, const Lattice& lattice, const TileSet& tiles, const F& f) {
  dispatch_detail::for_each_part(kernel, lattice, tiles, 4, f);
}
template <class F>
void for_each_link(const Kernel& kernel, const Lattice& lattice, const F& f) {
  for_each_link(kernel, lattice, all_tiles(lattice), f);
}
template <class F>
void for_each_plane(const Kernel& kernel, const Lattice& lattice, const TileSet& tiles, const F& f) {
  dispatch_detail::for_each_part(kernel, lattice, tiles, 6, f);
}

template <class F>
void for_joined_parts(const Kernel& kernel, const Lattice& lattice, const TileSet& tiles, const F& f) {
  if (tiles.count == 0) return;
  for_joined_parts(dispatch_detail::part_of_all(kernel, lattice, tiles),
                   TilePolicy<FieldSpace>(tiles.count, lattice.lanes()),
                   dispatch_detail::VisitJoined<F>{f, {lattice, tiles}});
}

template <class F>
void for_each_half_tile(const Kernel& kernel, const Lattice& lattice, const F& f) {
  parallel_for(kernel, dispatch_detail::half_tiles_of(lattice), f);
}

template <class F>
void for_each_vector(const Kernel& kernel, const Lattice& lattice, int count, const F& f) {
  parallel_for(kernel, dispatch_detail::half_tiles_of(lattice, count), f);
}

template <int N, class F>
void for_each_batch(const Kernel& kernel, const Lattice& lattice, int count, const F& f) {
  for_batches<N>(kernel, dispatch_detail::half_tiles_of(lattice, count), f);
}

namespace dispatch_detail {
template <class S, int K, class F>
std::array<double, K> joined_sums(const Kernel& kernel, const Lattice& lattice, const TilePolicy<FieldSpace>& tiles,
                                  const F& f) {
  static_assert(K <= maximum_sums);
  std::array<double, K> values;
  if constexpr (fields_on_host) {
    sum_tiles(kernel, lattice, tiles.tiles(), backend::tile_sums<S>(f), values);
  } else {
    std::array<ExactSum, K> totals;
    add_exact_sums<S, K>(kernel, tiles, f, std::span<ExactSum, K>(totals));
    join_ranks(kernel, lattice, totals);
    for (int k = 0; k < K; ++k) values[std::size_t(k)] = totals[std::size_t(k)].value();
  }
  return values;
}
}  // namespace dispatch_detail

template <class S, int K, class F>
std::array<double, K> sum_over_tiles(const Kernel& kernel, const Lattice& lattice, const F& f) {
  return dispatch_detail::joined_sums<S, K>(kernel, lattice, dispatch_detail::tiles_of(lattice),
                                            dispatch_detail::Visit<F>{f, {lattice, all_tiles(lattice)}});
}

template <class S, int K, class F>
std::array<double, K> sum_over_half_tiles(const Kernel& kernel, const Lattice& lattice, const F& f) {
  return dispatch_detail::joined_sums<S, K>(kernel, lattice, dispatch_detail::half_tiles_of(lattice), f);
}

template <class S, int N, class F>
std::vector<double> sum_over_batches(const Kernel& kernel, const Lattice& lattice, int count, const F& f) {
  if constexpr (fields_on_host) {
    return dispatch_detail::sum_vectors(kernel, lattice, count, backend::vector_sums<S>(f));
  } else {
    std::vector<ExactSum> totals(static_cast<std::size_t>(count));
    add_exact_sums_of_batches<S, N>(kernel, dispatch_detail::half_tiles_of(lattice, count), f,
                                    std::span<ExactSum>(totals));
    dispatch_detail::join_ranks(kernel, lattice, totals);
    return values_of(totals);
  }
}

template <class S, class F>
std::vector<double> sum_over_vectors(const Kernel& kernel, const Lattice& lattice, int count, const F& f) {
  return sum_over_batches<S, 1>(kernel, lattice, count, f);
}

template <class S, int N, class F>
void sum_over_batches(const Kernel& kernel, const Lattice& lattice, int count, const F& f, const FieldSums& to) {
  if constexpr (fields_on_host) {
    dispatch_detail::sum_vectors(kernel, lattice, count, backend::vector_sums<S>(f), to);
  } else {
    const auto policy = dispatch_detail::half_tiles_of(lattice, count);
    if (lattice.grid().size() == 1) return exact_sums_of_batches<S, N>(kernel, policy, f, to);
    exact_sums_in_parts<S, N>(kernel, policy, f, to, true, lattice.halo().room_for_sums());
    lattice.halo().join_sums(kernel.name, to);
  }
}

template <class S, class F>
void sum_over_vectors(const Kernel& kernel, const Lattice& lattice, int count, const F& f, const FieldSums& to) {
  sum_over_batches<S, 1>(kernel, lattice, count, f, to);
}

template <int N, class F>
void for_each_batch_of_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity,
                               int count, const F& f, const HopPattern& pattern = nearest_neighbours) {
  if constexpr (fields_on_host)
    return dispatch_detail::run_stencil(kernel, in, lattice, parity, count, backend::batch_loop(f), pattern);
  else
    over_halo(
        lattice, parity, in,
        [&](const TileSet& tiles) {
          for_batches<N>(dispatch_detail::part_of(kernel, lattice, tiles),
                         dispatch_detail::half_tiles_of(lattice, count, tiles),
                         dispatch_detail::VisitSet<F>{f, tiles.list});
        },
        pattern);
}

template <class F>
void for_each_half_tile_of_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice,
                                   int parity, const F& f, const HopPattern& pattern = nearest_neighbours) {
  if constexpr (fields_on_host)
    return dispatch_detail::run_stencil(kernel, in, lattice, parity, 0, backend::tile_loop(f), pattern);
  else
    over_halo(
        lattice, parity, in,
        [&](const TileSet& tiles) {
          parallel_for(dispatch_detail::part_of(kernel, lattice, tiles),
                       dispatch_detail::half_tiles_of(lattice, 0, tiles), dispatch_detail::VisitSet<F>{f, tiles.list});
        },
        pattern);
}

template <class S, int N, class F>
void sum_over_batches_of_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity,
                                 int count, const F& f, const FieldSums& to,
                                 const HopPattern& pattern = nearest_neighbours) {
  if constexpr (fields_on_host) {
    dispatch_detail::sum_stencil(kernel, in, lattice, parity, count, backend::vector_sums<S>(f), to, pattern);
  } else {
    const auto policy = [&](const TileSet& tiles) { return dispatch_detail::half_tiles_of(lattice, count, tiles); };
    using Visit = dispatch_detail::VisitSet<F>;
    if (record_over_halo(in, pattern) || !lattice.has_ghosts())
      return exact_sums_of_batches<S, N>(kernel, policy({}), Visit{f, nullptr}, to);
    const Halo& halo = lattice.halo();
    const std::int32_t* const surface = halo.tiles(pattern).at_surface(parity).list;
    over_halo(
        lattice, parity, in,
        [&](const TileSet& tiles) {
          const bool last = tiles.list == surface;
          exact_sums_in_parts<S, N>(dispatch_detail::part_of(kernel, lattice, tiles), policy(tiles),
                                    Visit{f, tiles.list}, to, last, last ? halo.room_for_sums() : nullptr);
        },
        pattern);
    halo.join_sums(kernel.name, to);
  }
}

template <class S, class F>
void sum_over_vectors_of_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity,
                                 int count, const F& f, const FieldSums& to,
                                 const HopPattern& pattern = nearest_neighbours) {
  sum_over_batches_of_stencil<S, 1>(kernel, in, lattice, parity, count, f, to, pattern);
}

}  // namespace trellis
