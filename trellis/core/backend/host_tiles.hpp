// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels over tiles on a host. Only a loop over some tiles, with the kernel inlined, is compiled for each kernel
// (TileLoop, TileSums); threads, timers and the joining of sums call it through a pointer and are compiled once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "trellis/core/parallel.hpp"
#include "trellis/core/runtime/tile_watch.hpp"
#include "trellis/core/sums/exact_sum.hpp"

namespace trellis::backend {

// The tiles of a kernel, those in a list or the first ones, and the vectors of each, or 0.
struct HostTiles {
  int tiles, vectors;
  const std::int32_t* list = nullptr;

  TRELLIS_INLINE int at(int n) const { return list == nullptr ? n : list[n]; }
  Index work() const { return Index(tiles) * (vectors == 0 ? 1 : vectors); }
};

// A private copy of the functor: its members stay in registers, whatever it writes.
template <class F>
using OwnFunctor = std::conditional_t<std::is_copy_constructible_v<F>, const F, const F&>;

// A functor, and a function that calls it for tiles first <= n < last. place: which tile of the lattice the n-th is;
// null if the functor does not tell.
struct TileLoop {
  const void* f;
  void (*part)(const void* f, const HostTiles& tiles, int first, int last);
  int (*place)(const void* f, int n) = nullptr;
};
template <class F>
constexpr auto place_of() -> int (*)(const void*, int) {
  if constexpr (requires(const F& f) { f.place(0); })
    return [](const void* f, int n) { return static_cast<const F*>(f)->place(n); };
  else
    return nullptr;
}

// f(tile), or f(tile, n) for each vector.
template <class F>
void loop_over_tiles(const void* f, const HostTiles& tiles, int first, int last) {
  OwnFunctor<F> own = *static_cast<const F*>(f);
  const HostTiles of = tiles;
  TRELLIS_INDEPENDENT_LOOP
  for (int k = first; k < last; ++k) {
    if constexpr (std::is_invocable_v<F, int, int>)
      for (int n = 0; n < of.vectors; ++n) own(of.at(k), n);
    else
      own(of.at(k));
  }
}
template <class F>
TileLoop tile_loop(const F& f) {
  return {std::addressof(f), &loop_over_tiles<F>, place_of<F>()};
}

// f(tile, 0, vectors)
template <class F>
void loop_over_batches(const void* f, const HostTiles& tiles, int first, int last) {
  OwnFunctor<F> own = *static_cast<const F*>(f);
  const HostTiles of = tiles;
  TRELLIS_INDEPENDENT_LOOP
  for (int k = first; k < last; ++k) own(of.at(k), 0, of.vectors);
}
template <class F>
TileLoop batch_loop(const F& f) {
  return {std::addressof(f), &loop_over_batches<F>};
}

// f.part(tile, n) for all parts, then f.join(tile, k, part)
template <class F>
void loop_over_joined_parts(const void* f, const HostTiles& tiles, int first, int last) {
  OwnFunctor<F> own = *static_cast<const F*>(f);
  const HostTiles of = tiles;
  TRELLIS_INDEPENDENT_LOOP
  for (int k = first; k < last; ++k) {
    typename F::Part parts[F::parts];
    for (int n = 0; n < F::parts; ++n) parts[n] = own.part(of.at(k), n);
    const auto part = [&parts](int n) -> const typename F::Part& { return parts[n]; };
    for (int n = 0; n < F::joins; ++n) own.join(of.at(k), n, part);
  }
}
template <class F>
TileLoop joined_loop(const F& f) {
  return {std::addressof(f), &loop_over_joined_parts<F>, place_of<F>()};
}

inline void loop_watched(TileWatch& watch, const TileLoop& loop, const HostTiles& tiles, int first, int last) {
  for (int n = first; n < last; ++n) {
    const int tile = loop.place(loop.f, tiles.at(n));
    const std::uint64_t found_before = watch.before(tile);
    loop.part(loop.f, tiles, n, n + 1);
    watch.after(tile, found_before);
  }
}

template <class Exec>
void run_tile_loop(const Kernel& kernel, const Exec& space, const HostTiles& tiles, const TileLoop& loop) {
  if (tiles.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  DispatchTimer timer(kernel, space);
  if (!timer.runs()) return;
  TileWatch* const watch = loop.place == nullptr ? nullptr : WatchingTiles::now();
  run_parts(space, kernel.name, tiles.tiles, [&](Index first, Index last) {
    if (watch != nullptr) return loop_watched(*watch, loop, tiles, static_cast<int>(first), static_cast<int>(last));
    loop.part(loop.f, tiles, static_cast<int>(first), static_cast<int>(last));
  });
  timer.given();
}

inline constexpr int maximum_sums = 64;

// A lattice has few, large tiles: for a sum a host thread takes a chunk of this many.
inline constexpr int tiles_a_chunk = 64;

// A functor; a function that adds its terms for some tiles to accumulators of a lane type; and a function that creates
// `count` of these, calls the first, and adds them to exact sums.
struct TileSums {
  const void* f;
  void (*visit)(const void* f, const HostTiles& tiles, int first, int last, void* sums);
  void (*part)(const TileSums& self, const HostTiles& tiles, int first, int last, int count, ExactSum* totals);
};

template <class S>
void sum_part(const TileSums& self, const HostTiles& tiles, int first, int last, int count, ExactSum* totals) {
  using Sum = ExactAccumulator<S>;
  alignas(Sum) std::byte room[maximum_sums * sizeof(Sum)];
  Sum* const sums = reinterpret_cast<Sum*>(room);
  std::uninitialized_default_construct_n(sums, count);
  self.visit(self.f, tiles, first, last, sums);
  for (int k = 0; k < count; ++k) totals[k].add(sums[k]);
}

// f(tile, sums)
template <class S, class F>
void add_of_tiles(const void* f, const HostTiles& tiles, int first, int last, void* into) {
  OwnFunctor<F> own = *static_cast<const F*>(f);
  const HostTiles of = tiles;
  auto* const sums = static_cast<ExactAccumulator<S>*>(into);
  for (int k = first; k < last; ++k) own(of.at(k), sums);
}
template <class S, class F>
TileSums tile_sums(const F& f) {
  return {std::addressof(f), &add_of_tiles<S, F>, &sum_part<S>};
}

// f(tile, 0, vectors, sums), or f(tile, n) -> a term of vector n
template <class S, class F>
void add_of_vectors(const void* f, const HostTiles& tiles, int first, int last, void* into) {
  OwnFunctor<F> own = *static_cast<const F*>(f);
  const HostTiles of = tiles;
  auto* const sums = static_cast<ExactAccumulator<S>*>(into);
  for (int k = first; k < last; ++k) {
    if constexpr (std::is_invocable_v<F, int, int>)
      for (int n = 0; n < of.vectors; ++n) sums[n].add(own(of.at(k), n));
    else
      own(of.at(k), 0, of.vectors, sums);
  }
}
template <class S, class F>
TileSums vector_sums(const F& f) {
  return {std::addressof(f), &add_of_vectors<S, F>, &sum_part<S>};
}

// Adds to totals.
template <class Exec>
void run_tile_sums(const Kernel& kernel, const Exec& space, const HostTiles& tiles, const TileSums& sums,
                   std::span<ExactSum> totals) {
  if (tiles.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  const DispatchTimer timer(kernel, space);
  if (!timer.runs_for_result()) return;
  const int count = static_cast<int>(totals.size());
  const int chunks = (tiles.tiles + tiles_a_chunk - 1) / tiles_a_chunk;
  std::vector<ExactSum> partial(std::size_t(chunks) * std::size_t(count));
  run_parts(space, kernel.name, chunks, [&](Index begin, Index end) {
    for (int c = static_cast<int>(begin); c < static_cast<int>(end); ++c)
      sums.part(sums, tiles, c * tiles_a_chunk, std::min(tiles.tiles, (c + 1) * tiles_a_chunk), count,
                partial.data() + std::ptrdiff_t(c) * count);
  });
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < chunks; ++c)
      totals[std::size_t(k)].add(partial[std::size_t(c) * std::size_t(count) + std::size_t(k)]);
}

// Stores the sums as numbers.
template <class Exec>
void leave_tile_sums(const Kernel& kernel, const Exec& space, const HostTiles& tiles, const TileSums& sums,
                     std::span<double> to) {
  if (tiles.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  std::vector<ExactSum> totals(to.size());
  run_tile_sums(kernel, space, tiles, sums, totals);
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = totals[k].value();
}

extern template void run_tile_loop(const Kernel&, const DefaultHostExecutionSpace&, const HostTiles&, const TileLoop&);
extern template void run_tile_sums(const Kernel&, const DefaultHostExecutionSpace&, const HostTiles&, const TileSums&,
                                   std::span<ExactSum>);
extern template void leave_tile_sums(const Kernel&, const DefaultHostExecutionSpace&, const HostTiles&, const TileSums&,
                                     std::span<double>);

}  // namespace trellis::backend
