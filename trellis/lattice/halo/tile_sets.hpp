// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lattice's own tiles, sorted by the ghosts that the hops of a pattern read, hence by what they wait for.

#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis {

// Tiles of a parity, numbered from its first one, or of both, numbered as the lattice's: all of them, or those in a
// list.
struct TileSet {
  const std::int32_t* list = nullptr;  // where kernels run
  int count = 0;
  bool is_all() const { return list == nullptr; }
};

class TileSets {
 public:
  // If `apart` is false, all tiles count as inner ones: code that waits for all messages visits tiles in their usual
  // order. There are `own_tiles` tiles of each parity, from first_tile[parity] on.
  TileSets(const Neighbours& host_neighbours, const std::array<int, 2>& first_tile, int own_tiles,
           const HopPattern& pattern, bool apart);

  const HopPattern& pattern() const { return pattern_; }
  // Tiles whose hops all end on this rank; that read ghosts beyond exactly one face; beyond several; any ghosts.
  TileSet inside(int parity) const { return sets_[parity][inner]; }
  TileSet at_face(int parity, int face) const { return sets_[parity][face]; }
  TileSet at_edges(int parity) const { return sets_[parity][edges]; }
  TileSet at_surface(int parity) const { return {sets_[parity][0].list, own_tiles_ - inside(parity).count}; }
  // The same tiles of both parities, in the order in which loops visit them (dispatch.hpp).
  TileSet all_inside() const { return both_[1]; }
  TileSet all_at_surface() const { return both_[0]; }

 private:
  static constexpr int edges = 8, inner = 9, count = 10;  // after the faces
  HopPattern pattern_;
  int own_tiles_;
  TileSet sets_[2][count], both_[2];
  FieldView<std::int32_t*> lists_;
};

}  // namespace trellis
