// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a body over the tiles of one parity, in one of the study's orders, on whatever fields live on: flat by a
// TilePolicy, in the order of memory; by teams, each of which takes a row of x; by blocks of an MDRangePolicy. Where
// the lanes of a tile are threads (tile_policy.hpp), W neighbouring threads call the body for it, in each order.
//
// A body is called with the number of a tile; where lanes are threads, it must be compiled for them.

#include "trellis/bench/study/variants.hpp"
#include "trellis/core/team_policy.hpp"
#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::bench::study {

// The order of a run. A tile is at x/2 + rows[y + z extent_y] + t t_stride.
struct Walk {
  Traversal traversal = Traversal::flat;
  int tiles = 0;
  Coordinate extents{};        // in tiles of one parity: x/2, y, z, t
  std::array<Index, 4> block;  // of a blocked traversal
  int team_size = 0;           // 0: what suits the machine
  const std::int32_t* rows = nullptr;
  int t_stride = 0;
};

// LeastBlocks: how many blocks of 128 threads a multiprocessor of a GPU should be able to hold at least
// (tile_policy.hpp).
template <class Body, int LeastBlocks>
struct FlatBody {
  enum : int { least_blocks = LeastBlocks };
  Body body;
  TRELLIS_INLINE void operator()(int tile) const { body(tile); }
};

template <int Lanes, int LeastBlocks, class Body>
void launch_flat(const Kernel& cost, const Walk& walk, const Body& body) {
  parallel_for(cost, TilePolicy<FieldSpace>(walk.tiles, Lanes), FlatBody<Body, LeastBlocks>{body});
}

template <int Lanes, class Body>
void launch_teams(const Kernel& cost, const Walk& walk, const Body& body) {
  constexpr int threads = backend::lanes_are_threads ? Lanes : 1;
  const Index row = walk.extents[0], teams = walk.tiles / row;
  const TeamPolicy<FieldSpace> policy = walk.team_size == 0 ? TeamPolicy<FieldSpace>(teams, AUTO, threads)
                                                            : TeamPolicy<FieldSpace>(teams, walk.team_size, threads);
  parallel_for(
      cost, policy, TRELLIS_KERNEL(const typename TeamPolicy<FieldSpace>::Member& team) {
        const Index first = team.league_rank() * row;
        parallel_for(TeamThreadRange(team, row), [&](Index x) { body(static_cast<int>(first + x)); });
      });
}

template <int Lanes, class Body>
void launch_blocks(const Kernel& cost, const Walk& walk, const Body& body) {
  constexpr Index threads = backend::lanes_are_threads ? Lanes : 1;
  const Coordinate& n = walk.extents;
  auto block = walk.block;
  block[0] *= threads;
  const std::int32_t* const rows = walk.rows;
  const int y_extent = n[1], t_stride = walk.t_stride;
  parallel_for(
      cost, MDRangePolicy<FieldSpace, Rank<4, Iterate::Left>>({0, 0, 0, 0}, {threads * n[0], n[1], n[2], n[3]}, block),
      TRELLIS_KERNEL(Index x, Index y, Index z, Index t) {
        body(static_cast<int>(x / threads) + rows[y + z * y_extent] + static_cast<int>(t) * t_stride);
      });
}

template <int Lanes, class Body>
void launch(const Kernel& cost, const Walk& walk, const Body& body) {
  switch (walk.traversal) {
    case Traversal::flat:
      return launch_flat<Lanes, 0>(cost, walk, body);
    case Traversal::team:
      return launch_teams<Lanes>(cost, walk, body);
    case Traversal::blocked:
      return launch_blocks<Lanes>(cost, walk, body);
  }
}

}  // namespace trellis::bench::study
