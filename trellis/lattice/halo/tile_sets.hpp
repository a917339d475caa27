// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The own tiles of a lattice, sorted by what their hops wait for: by the ghosts that a pattern leads into.

#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis {

// Tiles of a parity, counted from its first one: all of them, or those of a list.
struct TileSet {
  const std::int32_t* list = nullptr;  // where kernels run
  int count = 0;
  bool is_all() const { return list == nullptr; }
};

class TileSets {
 public:
  // Where `apart` is false all tiles are inside: whoever waits for all messages visits them in their own order.
  // Tiles are `own_tiles` of each parity, from first_tile[parity] on.
  TileSets(const Neighbours& host_neighbours, const std::array<int, 2>& first_tile, int own_tiles,
           const HopPattern& pattern, bool apart);

  const HopPattern& pattern() const { return pattern_; }
  // Those whose hops end on this rank; that have ghosts beyond one face alone; beyond several; beyond any.
  TileSet inside(int parity) const { return sets_[parity][inner]; }
  TileSet at_face(int parity, int face) const { return sets_[parity][face]; }
  TileSet at_edges(int parity) const { return sets_[parity][edges]; }
  TileSet at_surface(int parity) const { return {sets_[parity][0].list, own_tiles_ - inside(parity).count}; }

 private:
  static constexpr int edges = 8, inner = 9, count = 10;  // after the faces
  HopPattern pattern_;
  int own_tiles_;
  TileSet sets_[2][count];
  FieldView<std::int32_t*> lists_;
};

}  // namespace trellis
