// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/lattice.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/halo/ghosts.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/halo/hop_pattern.hpp"

namespace trellis {

using lattice_detail::GhostTiles, lattice_detail::inside, lattice_detail::join, lattice_detail::parity_of,
    lattice_detail::split;

namespace {

constexpr int maximum_lanes = 64;

// Blocks are cut where they are longest, x before y before z before t: if t is not cut, the slices between which links
// are reused stay small. Directions that are cut between ranks come last, since there the ghosts of all lanes would
// have to be filled. On a GPU x is cut as far as possible, then y and z: the sites of a tile are then neighbours, so
// that a step in x leads to cache lines that the warp already has, and few tiles have factors of the boundary in t.
std::optional<Coordinate> lane_grid_for(Coordinate block, int lanes, const Coordinate& cut = {},
                                        const Coordinate& directions = {0, 1, 2, 3}) {
  if (lanes < 1 || lanes > maximum_lanes || !std::has_single_bit(unsigned(lanes))) return std::nullopt;
  Coordinate grid{1, 1, 1, 1};
  for (; lanes > 1; lanes /= 2) {
    int best = -1;
    for (const int mu : directions)
      if (block[mu] % 4 == 0 &&
          (best < 0 || cut[mu] < cut[best] || (cut[mu] == cut[best] && fields_on_host && block[mu] > block[best])))
        best = mu;
    if (best < 0) return std::nullopt;
    block[best] /= 2;
    grid[best] *= 2;
  }
  return grid;
}

}  // namespace

bool Lattice::divides(Coordinate size, int lanes) { return lane_grid_for(size, lanes).has_value(); }

int Lattice::best_lanes(Coordinate size, int element_bytes, int vectors) {
  // The complex numbers of neighbouring vectors fill half a cache line.
  const bool side_by_side = fields_side_by_side<1> && vectors * 2 * element_bytes >= 64;
  const auto& compiled = compiled_lane_counts<float>();
  if (side_by_side && std::find(compiled.begin(), compiled.end(), 1) != compiled.end()) return 1;
  int best = 1;
  for (const int lanes : compiled)
    if (lanes * element_bytes <= backend::most_lane_bytes && lanes > best && divides(size, lanes)) best = lanes;
  return best;
}

Lattice::Lattice(const Lattice&) = default;
Lattice::Lattice(Lattice&&) noexcept = default;
Lattice& Lattice::operator=(const Lattice&) = default;
Lattice& Lattice::operator=(Lattice&&) noexcept = default;
Lattice::~Lattice() = default;

Lattice::Lattice(Coordinate size, int lanes, SiteOrder order, const LatticeShape& shape, const comm::ProcessGrid& grid)
    : grid_(grid), size_(size), lanes_(lanes), vector_reach_(shape.vector_reach), order_(order) {
  for (const int extent : size)
    if (extent < 2 || extent % 2 != 0)
      fail_input("lattice size {}x{}x{}x{}: every extent must be even and at least 2", size[0], size[1], size[2],
                 size[3]);
  volume_ = 1;
  for (const int extent : size) {
    if (volume_ > (std::int64_t(1) << 40) / extent)
      fail_input("lattice size {}x{}x{}x{} is larger than 2^40 sites", size[0], size[1], size[2], size[3]);
    volume_ *= extent;
  }
  local_size_ = grid.local(size);
  local_volume_ = volume_ / grid.size();
  for (int mu = 0; mu < 4; ++mu) {
    origin_[mu] = grid.coordinate()[mu] * local_size_[mu];
    cut_[mu] = grid.extents()[mu] > 1 || shape.ghosts[mu] != 0 ? 1 : 0;
  }
  if (order == SiteOrder::lexicographic && cut_ != Coordinate{})
    fail_input("a lattice in lexicographic order must be on one rank, without ghosts");
  require_reach();
  choose_directions(shape);
  choose_blocks(shape);
  constexpr std::int64_t most_tiles = std::int64_t(1) << 28;
  if (local_volume_ / lanes > most_tiles)
    fail_input(
        "lattice size {}x{}x{}x{}: {} sites for each process are too many, at most {} fit with {} lanes; it needs at "
        "least {} ranks",
        size[0], size[1], size[2], size[3], local_volume_, most_tiles * lanes, lanes,
        (volume_ + most_tiles * lanes - 1) / (most_tiles * lanes));
  choose_column(shape);
  make_lane_tables();
  make_tile_tables();
}

void Lattice::require_reach() const {
  if (vector_reach_ < 1 || vector_reach_ > most_reach)
    fail_input("hops of {} steps between vectors of a lattice; it must be 1 to {}", vector_reach_, most_reach);
  for (int mu = 0; mu < 4; ++mu)
    if (grid_.extents()[mu] > 1 && local_size_[mu] < vector_reach_)
      fail_input(
          "hops of {} steps in direction {} would reach beyond the neighbour of a rank, which has {}x{}x{}x{} sites; "
          "use fewer ranks there",
          vector_reach_, "xyzt"[mu], local_size_[0], local_size_[1], local_size_[2], local_size_[3]);
}

void Lattice::make_lane_tables() {
  const int lanes = lanes_;
  for (int mu = 0, place = 1; mu < 4; place *= lane_grid_[mu++])
    if (lane_grid_[mu] > 1) high_lane_bits_ |= place * lane_grid_[mu] / 2;

  HostView<std::int32_t*>&permutations = host_tables_.permutations, &sums = host_tables_.sums;
  HostView<std::int64_t*>& offsets = host_tables_.offsets;
  permutations = HostView<std::int32_t*>("lane permutations", lanes * lanes);
  sums = HostView<std::int32_t*>("sums of lane shifts", lanes * lanes);
  offsets = HostView<std::int64_t*>("lane offsets", lanes);
  for (int a = 0; a < lanes; ++a) {
    const Coordinate x = split(a, lane_grid_);
    Coordinate corner;
    for (int mu = 0; mu < 4; ++mu) corner[mu] = x[mu] * block_[mu];
    offsets(a) = lexicographic(corner);
    for (int b = 0; b < lanes; ++b) {
      Coordinate sum = split(b, lane_grid_);
      for (int mu = 0; mu < 4; ++mu) sum[mu] = (sum[mu] + x[mu]) % lane_grid_[mu];
      permutations(a * lanes + b) = sums(a * lanes + b) = static_cast<std::int32_t>(join(sum, lane_grid_));
    }
  }
}

void Lattice::make_tile_tables() {
  GhostTiles ghosts(block_, cut_, vector_reach_);
  vector_ghosts_ = ghosts.of_vectors;
  parity_tiles_ = tiles() / 2 + ghosts.count;
  // The tile of a place in the block, or beyond its surface.
  const auto number_of = [&](const Coordinate& x) {
    if (inside(x, block_)) return tile_of(x);
    const int ghost = ghosts.number(x);
    return ghost < 0 ? -1 : first_tile(parity_of(x)) + tiles() / 2 + ghost;
  };

  const std::int64_t count = 2 * std::int64_t(parity_tiles_);
  HostView<Hop*>& hops = host_tables_.hops;
  HostView<std::int64_t*>& origins = host_tables_.origins;
  HostView<std::uint8_t*>& exits = host_tables_.exits;
  hops = HostView<Hop*>(Uninitialized{}, "neighbours", 8 * count);
  origins = HostView<std::int64_t*>("tile origins", count);
  exits = HostView<std::uint8_t*>("column exits", count);
  const auto add = [&](const Coordinate& x, int tile) {
    const bool own = inside(x, block_);
    for (int mu = 0; mu < 4; ++mu)
      for (const int sign : {+1, -1}) {
        Coordinate y = x, shift{0, 0, 0, 0};
        y[mu] += sign;
        if (cut_[mu] == 0 && (y[mu] == block_[mu] || y[mu] < 0)) {
          y[mu] = (y[mu] + block_[mu]) % block_[mu];
          shift[mu] = (sign + lane_grid_[mu]) % lane_grid_[mu];
        }
        const int step = sign > 0 ? mu : backward(mu);
        for (const int k : {0, 1})  // column extents
          if (own && inside(y, block_) && mu == directions_[k + 1] && y[mu] / column_[k] != x[mu] / column_[k])
            exits(tile) = std::uint8_t(exits(tile) | 1 << step);
        hops(8 * std::int64_t(tile) + step) = {number_of(y), static_cast<std::int32_t>(join(shift, lane_grid_))};
      }
  };
  for (int n = 0; n < tiles(); ++n) {
    const Coordinate x = split(n, block_);
    const int tile = tile_of(x);
    Coordinate site;
    for (int mu = 0; mu < 4; ++mu) site[mu] = origin_[mu] + x[mu];
    origins(tile) = lexicographic(site);
    add(x, tile);
  }
  for (const Coordinate& x : ghosts.places) add(x, number_of(x));
  tables_ = {in_field_memory(hops),
             in_field_memory(origins),
             in_field_memory(host_tables_.offsets),
             in_field_memory(exits),
             in_field_memory(host_tables_.permutations),
             in_field_memory(host_tables_.sums)};
  if (!ghosts.places.empty() && !in_dry_run()) halo_ = std::make_shared<const Halo>(*this, ghosts.places);
}

void Lattice::choose_directions(const LatticeShape& shape) {
  if (shape.directions == Coordinate{}) return;
  Coordinate sorted = shape.directions;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != Coordinate{0, 1, 2, 3})
    fail_input("directions {}, {}, {}, {} of a lattice: each of 0, 1, 2, 3 must occur once", shape.directions[0],
               shape.directions[1], shape.directions[2], shape.directions[3]);
  directions_ = shape.directions;
}

void Lattice::choose_blocks(const LatticeShape& shape) {
  const Coordinate& grid = shape.lane_grid;
  if (grid == Coordinate{}) {
    const auto chosen = lane_grid_for(local_size_, lanes_, cut_, directions_);
    if (!chosen)
      fail_input("lattice size {}x{}x{}x{}{} does not divide into {} SIMD lanes", local_size_[0], local_size_[1],
                 local_size_[2], local_size_[3], grid_.size() == 1 ? "" : " of a rank", lanes_);
    lane_grid_ = *chosen;
  } else {
    bool fits = true;
    for (int mu = 0; mu < 4; ++mu) fits = fits && grid[mu] >= 1 && local_size_[mu] % (2 * grid[mu]) == 0;
    if (!fits || lanes_ > maximum_lanes || std::int64_t(grid[0]) * grid[1] * grid[2] * grid[3] != lanes_)
      fail_input(
          "lattice size {}x{}x{}x{}: a grid of {}x{}x{}x{} virtual nodes does not cut it into {} blocks of even "
          "extents",
          local_size_[0], local_size_[1], local_size_[2], local_size_[3], grid[0], grid[1], grid[2], grid[3], lanes_);
    lane_grid_ = grid;
  }
  for (int mu = 0; mu < 4; ++mu) block_[mu] = local_size_[mu] / lane_grid_[mu];
}

void Lattice::choose_column(const LatticeShape& shape) {
  const Coordinate block = ordered(block_);
  const bool brick_is_given = shape.brick != Coordinate{};
  if (shape.column != std::array<int, 2>{}) {
    for (const int k : {0, 1})
      if (shape.column[k] < 1 || block[k + 1] % shape.column[k] != 0)
        fail_input("columns of {}x{} sites do not divide blocks of {}x{} in y and z", shape.column[0], shape.column[1],
                   block[1], block[2]);
    column_ = shape.column;
  } else if (!fields_on_host && lanes_ == 1) {  // slices that stay in the second-level cache
    for (const int k : {0, 1})
      for (column_[k] = std::min(block[k + 1], k == 0 ? 16 : 8); block[k + 1] % column_[k] != 0;) --column_[k];
  } else if (!fields_on_host || brick_is_given) {
    column_ = {block[1], block[2]};
    // The slices in use must stay in the second-level cache, while links stream through it: slices of spinors in double
    // precision take 3 MiB each.
    constexpr std::int64_t most_sites = 1 << 15;
    while (!fields_on_host && !brick_is_given && column_[1] % 4 == 0 &&
           std::int64_t(block[0]) * column_[0] * column_[1] * lanes_ > most_sites)
      column_[1] /= 2;
  } else {
    // The links of one slice of a column in double precision. Three slices are in use at a time; they fit in 2 MiB of
    // cache.
    constexpr std::int64_t slice_bytes = 600 * 1024;
    std::int64_t bytes = std::int64_t(block[0]) * lanes_ * 4 * 18 * 8;
    for (bool grown = true; grown;) {
      grown = false;
      for (const int k : {0, 1})
        if (block[k + 1] % (2 * column_[k]) == 0 && 2 * bytes <= slice_bytes) {
          column_[k] *= 2;
          bytes *= 2;
          grown = true;
        }
    }
  }

  const Coordinate extents{block[0], column_[0], column_[1], block[3]};
  if (brick_is_given) {
    bool fits = shape.brick[0] % 2 == 0;  // even and odd sites alternate, so there are equally many
    for (int mu = 0; mu < 4; ++mu) fits = fits && shape.brick[mu] >= 1 && extents[mu] % shape.brick[mu] == 0;
    if (!fits)
      fail_input("bricks of {}x{}x{}x{} sites, the first even, do not divide columns of {}x{}x{}x{}", shape.brick[0],
                 shape.brick[1], shape.brick[2], shape.brick[3], extents[0], extents[1], extents[2], extents[3]);
    brick_ = shape.brick;
  } else if (!fields_on_host && lanes_ == 1) {
    for (int mu = 0; mu < 4; ++mu) {
      brick_[mu] = mu < 3 ? 4 : 2;
      while (extents[mu] % brick_[mu] != 0) brick_[mu] /= 2;
    }
  } else if (!fields_on_host) {
    brick_ = {block[0] % 4 == 0 ? 4 : 2, column_[0] % 2 == 0 ? 2 : 1, column_[1] % 2 == 0 ? 2 : 1, 2};
  } else {
    brick_ = {block[0], 1, 1, 1};
  }
}

int Lattice::tile_of(const Coordinate& in_block) const {
  const Coordinate x = ordered(in_block), block = ordered(block_);
  const Coordinate in_column{x[0], x[1] % column_[0], x[2] % column_[1], x[3]};
  const Coordinate extents{block[0], column_[0], column_[1], block[3]};
  int number = x[2] / column_[1] * (block[1] / column_[0]) + x[1] / column_[0];
  for (int mu = 3; mu >= 0; --mu) number = number * (extents[mu] / brick_[mu]) + in_column[mu] / brick_[mu];
  for (int mu = 3; mu >= 0; --mu) number = number * brick_[mu] + in_column[mu] % brick_[mu];
  if (order_ == SiteOrder::lexicographic) return number;
  return first_tile(parity_of(x)) + number / 2;  // bricks are even in x
}

Coordinate Lattice::coordinate(std::int64_t lexicographic) const { return split(lexicographic, size_); }

bool Lattice::owns(const Coordinate& x) const {
  bool own = true;
  for (int mu = 0; mu < 4; ++mu) own = own && x[mu] >= origin_[mu] && x[mu] < origin_[mu] + local_size_[mu];
  return own;
}

std::int64_t Lattice::index(const Coordinate& x) const {
  for (int mu = 0; mu < 4; ++mu)
    if (x[mu] < 0 || x[mu] >= size(mu))
      fail("site ({}, {}, {}, {}) is not on the {} lattice", x[0], x[1], x[2], x[3], to_string(size()));
  if (!owns(x)) fail("site ({}, {}, {}, {}) is not on rank {}", x[0], x[1], x[2], x[3], ranks().rank());
  Coordinate in_block, lane;
  for (int mu = 0; mu < 4; ++mu) {
    in_block[mu] = (x[mu] - origin_[mu]) % block_[mu];
    lane[mu] = (x[mu] - origin_[mu]) / block_[mu];
  }
  return std::int64_t(tile_of(in_block)) * lanes_ + join(lane, lane_grid_);
}

}  // namespace trellis
