// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops and sums over the tiles of a lattice.
//   for_each_tile(kernel, lattice, f)                    f(tile), or f(tile, next): next is visited after tile
//   for_each_tile(kernel, lattice, parity, f)            only the even (0) or odd (1) tiles
//   for_each_half_tile(kernel, lattice, f)               f(tile), tiles of one parity counted from 0 (ParityField)
//   sum_over_tiles<S, K>(kernel, lattice, f)             f([tile, next or] tile, sums), ExactAccumulator<S> sums[K];
//                                                        returns K doubles
//   sum_over_half_tiles<S>(kernel, lattice, count, f)    f(tile, sums) as for_each_half_tile; count <= 64 doubles
// A kernel is a name, or a name with bytes and flops (core/profile.hpp). A tile's index is the place in memory. Sums
// have the same bits for every lane count, thread count and tile order.

#include <algorithm>
#include <array>
#include <vector>

#include "trellis/core/exact_sum.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis {

// The order in which loops visit tiles: that of memory, even and odd tiles of the same place in turn.
class TileOrder {
 public:
  explicit TileOrder(const Lattice& lattice)
      : half_(lattice.order() == SiteOrder::even_odd ? lattice.tiles() / 2 : 0) {}
  TRELLIS_INLINE int operator()(std::int64_t n) const {
    return half_ == 0 ? static_cast<int>(n) : static_cast<int>((n >> 1) + (n & 1) * half_);
  }

 private:
  int half_;
};

// Where fields live and their kernels run.
using FieldSpace = DefaultHostExecutionSpace;

// Calls f(tile), or f(tile, next) with the tile that follows, if f takes it: something to prefetch.
template <class F, class... More>
TRELLIS_INLINE void visit(const F& f, const TileOrder& order, int n, int tiles, More&... more) {
  if constexpr (std::is_invocable_v<F, int, int, More&...>)
    f(order(n), order(n + 1 < tiles ? n + 1 : n), more...);
  else
    f(order(n), more...);
}

template <class F>
void for_each_tile(const Kernel& kernel, const Lattice& lattice, const F& f) {
  const TileOrder order(lattice);
  const int tiles = lattice.tiles();
  parallel_for(kernel, RangePolicy<FieldSpace>(0, tiles),
               [=](Index n) { visit(f, order, static_cast<int>(n), tiles); });
}

template <class F>
void for_each_tile(const Kernel& kernel, const Lattice& lattice, int parity, const F& f) {
  if (lattice.order() != SiteOrder::even_odd) fail("{}: a lattice in lexicographic order has no parities", kernel.name);
  const int half = lattice.tiles() / 2;
  parallel_for(kernel, RangePolicy<FieldSpace>(0, half), [=](Index n) { f(static_cast<int>(n) + parity * half); });
}

template <class F>
void for_each_half_tile(const Kernel& kernel, const Lattice& lattice, const F& f) {
  parallel_for(kernel, RangePolicy<FieldSpace>(0, lattice.tiles() / 2), [=](Index n) { f(static_cast<int>(n)); });
}

template <class S, int K, class F>
std::array<double, K> sum_over_tiles(const Kernel& kernel, const Lattice& lattice, const F& f) {
  const KernelTimer timer(kernel);
  constexpr int chunk = 64;
  const TileOrder order(lattice);
  const int tiles = lattice.tiles();
  const int chunks = (tiles + chunk - 1) / chunk;
  std::vector<std::array<ExactSum, K>> partial(chunks);
  auto* out = partial.data();
  parallel_for(kernel, RangePolicy<FieldSpace>(0, chunks), [=](Index c) {
    ExactAccumulator<S> sums[K];
    const int end = std::min(tiles, (static_cast<int>(c) + 1) * chunk);
    for (int n = static_cast<int>(c) * chunk; n < end; ++n) visit(f, order, n, tiles, sums);
    for (int k = 0; k < K; ++k) out[c][k].add(sums[k]);
  });
  std::array<double, K> totals;
  for (int k = 0; k < K; ++k) {
    ExactSum total;
    for (const auto& p : partial) total.add(p[k]);
    totals[k] = total.value();
  }
  return totals;
}

inline constexpr int maximum_sums = 64;

namespace dispatch_detail {
template <class S, int Capacity, class F>
std::vector<double> sum_over_half_tiles(const Kernel& kernel, int tiles, int count, const F& f) {
  const KernelTimer timer(kernel);
  constexpr int chunk = 64;
  const int chunks = (tiles + chunk - 1) / chunk;
  std::vector<ExactSum> partial(std::size_t(chunks) * count);
  auto* out = partial.data();
  parallel_for(kernel, RangePolicy<FieldSpace>(0, chunks), [=](Index c) {
    ExactAccumulator<S> sums[Capacity];
    const int end = std::min(tiles, (static_cast<int>(c) + 1) * chunk);
    for (int n = static_cast<int>(c) * chunk; n < end; ++n) f(n, sums);
    for (int k = 0; k < count; ++k) out[c * count + k].add(sums[k]);
  });
  std::vector<double> totals(count);
  for (int k = 0; k < count; ++k) {
    ExactSum total;
    for (int c = 0; c < chunks; ++c) total.add(partial[std::size_t(c) * count + k]);
    totals[k] = total.value();
  }
  return totals;
}
}  // namespace dispatch_detail

template <class S, class F>
std::vector<double> sum_over_half_tiles(const Kernel& kernel, const Lattice& lattice, int count, const F& f) {
  if (count < 1 || count > maximum_sums) fail("{}: {} sums at once; from 1 to {}", kernel.name, count, maximum_sums);
  const int tiles = lattice.tiles() / 2;
  if (count == 1) return dispatch_detail::sum_over_half_tiles<S, 1>(kernel, tiles, count, f);
  return dispatch_detail::sum_over_half_tiles<S, maximum_sums>(kernel, tiles, count, f);
}

}  // namespace trellis
