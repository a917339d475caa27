// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dispatch_detail {

Kernel part_of(Kernel kernel, const Lattice& lattice, const TileSet& tiles) {
  if (tiles.is_all()) return kernel;
  const double part = tiles.count / (0.5 * lattice.tiles());
  kernel.bytes *= part;
  kernel.flops *= part;
  return kernel;
}

Kernel part_of_all(Kernel kernel, const Lattice& lattice, const TileSet& tiles) {
  const double part = double(tiles.count) / lattice.tiles();
  kernel.bytes *= part;
  kernel.flops *= part;
  return kernel;
}

void join_ranks(const Kernel& kernel, const Lattice& lattice, std::span<ExactSum> sums) {
  if (lattice.grid().size() > 1) lattice.ranks().add(kernel.name, sums);
}

#if !defined(TRELLIS_DEVICE_BACKEND)

namespace {

backend::HostTiles half_tiles(const Lattice& lattice, int count, const TileSet& tiles = {}) {
  return {tiles.is_all() ? lattice.tiles() / 2 : tiles.count, count, tiles.list};
}

}  // namespace

void run_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity, int count,
                 const TileLoop& loop, const HopPattern& pattern) {
  if (record_over_halo(in, pattern) || !lattice.has_ghosts())
    return backend::run_tile_loop(kernel, FieldSpace{}, half_tiles(lattice, count), loop);
  over_halo(
      lattice, parity, in,
      [&](const TileSet& tiles) {
        backend::run_tile_loop(part_of(kernel, lattice, tiles), FieldSpace{}, half_tiles(lattice, count, tiles), loop);
      },
      pattern);
}

void sum_stencil(const Kernel& kernel, std::span<const HaloPart> in, const Lattice& lattice, int parity, int count,
                 const TileSums& sums, const FieldSums& to, const HopPattern& pattern) {
  tile_detail::require_sums(kernel, count, std::size_t(to.count()));
  if (record_over_halo(in, pattern) || !lattice.has_ghosts())
    return backend::leave_tile_sums(kernel, FieldSpace{}, half_tiles(lattice, count), sums,
                                    {to.data(), std::size_t(count)});
  std::vector<ExactSum> totals(static_cast<std::size_t>(count));
  over_halo(
      lattice, parity, in,
      [&](const TileSet& tiles) {
        backend::run_tile_sums(part_of(kernel, lattice, tiles), FieldSpace{}, half_tiles(lattice, count, tiles), sums,
                               totals);
      },
      pattern);
  join_ranks(kernel, lattice, totals);
  to.set(values_of(totals));
}

void sum_tiles(const Kernel& kernel, const Lattice& lattice, int tiles, const TileSums& sums,
               std::span<double> values) {
  std::vector<ExactSum> totals(values.size());
  backend::run_tile_sums(kernel, FieldSpace{}, {tiles, 0}, sums, totals);
  join_ranks(kernel, lattice, totals);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = totals[k].value();
}

std::vector<double> sum_vectors(const Kernel& kernel, const Lattice& lattice, int count, const TileSums& sums) {
  std::vector<ExactSum> totals(static_cast<std::size_t>(count));
  tile_detail::require_sums(kernel, count, totals.size());
  backend::run_tile_sums(kernel, FieldSpace{}, half_tiles(lattice, count), sums, totals);
  join_ranks(kernel, lattice, totals);
  return values_of(totals);
}

void sum_vectors(const Kernel& kernel, const Lattice& lattice, int count, const TileSums& sums, const FieldSums& to) {
  tile_detail::require_sums(kernel, count, std::size_t(to.count()));
  if (lattice.grid().size() > 1) return to.set(sum_vectors(kernel, lattice, count, sums));
  backend::leave_tile_sums(kernel, FieldSpace{}, half_tiles(lattice, count), sums, {to.data(), std::size_t(count)});
}

#endif

}  // namespace trellis::dispatch_detail
