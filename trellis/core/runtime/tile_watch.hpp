// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looks at what kernels over the tiles of a lattice do to memory, tile by tile, on a host:
//
//   const WatchingTiles watching(watch);  until its end, watch.before(tile) and watch.after(tile, ...) around the work
//                                         of each kernel on each tile
//
// Kernels are those of for_each_tile, for_each_link, for_each_plane and for_joined_parts (lattice/dispatch.hpp);
// others, and kernels on a GPU, are not watched. Kernels are not compiled a second time, and cost nothing if nobody
// watches. One watch at a time; by the thread that starts kernels.

#include <cstdint>

namespace trellis {

class TileWatch {
 public:
  virtual ~TileWatch() = default;
  // By the thread that works on the tile. What before() returns is handed to after().
  virtual std::uint64_t before(int tile) = 0;
  virtual void after(int tile, std::uint64_t found_before) = 0;
};

class WatchingTiles {
 public:
  explicit WatchingTiles(TileWatch& watch);
  WatchingTiles(const WatchingTiles&) = delete;
  WatchingTiles& operator=(const WatchingTiles&) = delete;
  ~WatchingTiles();

  // Null: nobody watches.
  static TileWatch* now();

 private:
  TileWatch* before_;
};

}  // namespace trellis
