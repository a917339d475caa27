// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the hops of a pattern lead on a lattice: for each tile a row of Hop{tile, shift}, one for each hop, composed of
// single steps (Neighbours). Tiles are those of the lattice, with ghosts. If a hop leads beyond the ghosts, which
// happens only from ghosts, its tile is -1.
//   const HopList list(lattice, naik_neighbours);
//   const auto hops = list.hops<naik_neighbours.count>();            // for kernels; host_hops() for the host
//   permute(load(hops(tile, k).tile), hops.permutation(hops(tile, k).shift))    // the number that hop k reads
// Nearest neighbours use the lattice's own table; another pattern takes 8 bytes per hop and tile, on a GPU the same
// again on the host. Copies share it.

#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis {

// What kernels need to know of a pattern with this many hops: plain pointers, owned by the HopList.
template <int Count>
struct PatternNeighbours {
  const Hop* hops;            // [tile][Count]
  const std::int32_t* lanes;  // [shift][lane]: the lane to take
  int lane_count;
  int high_bits;  // as in Neighbours

  TRELLIS_INLINE Hop operator()(int tile, int hop) const { return hops[std::int64_t(tile) * Count + hop]; }
  template <class S>
  TRELLIS_INLINE int displacement(int shift) const {
    return lane_displacement<S>(high_bits, shift);
  }
  TRELLIS_INLINE const std::int32_t* permutation(int shift) const { return lanes + shift * lane_count; }
};

// Several steps in one direction; tile -1 if they lead beyond the ghosts.
inline Hop along(const Neighbours& neighbours, int tile, const PatternHop& hop) {
  Hop place = neighbours(tile, hop.step);
  for (int n = 1; n < hop.distance && place.tile >= 0; ++n) place = neighbours(place, hop.step);
  return place;
}

class HopList {
 public:
  // Throws InputError if a hop is invalid (require_hops) or longer than the lattice's vector ghosts are deep.
  explicit HopList(const Lattice& lattice, const HopPattern& pattern = nearest_neighbours);

  const HopPattern& pattern() const { return pattern_; }
  const Lattice& lattice() const { return lattice_; }
  // Throws Error if the pattern has a different count.
  template <int Count>
  PatternNeighbours<Count> hops() const {
    return view<Count>(lattice_.neighbours(), hops_);
  }
  template <int Count>
  PatternNeighbours<Count> host_hops() const {
    return view<Count>(lattice_.host_neighbours(), host_hops_);
  }

 private:
  void require_count(int count) const;
  template <int Count, class Table>
  PatternNeighbours<Count> view(const Neighbours& own, const Table& table) const {
    require_count(Count);
    return {table.data() == nullptr ? own.hops : table.data(), own.lanes, own.lane_count, own.high_bits};
  }

  Lattice lattice_;
  HopPattern pattern_;
  HostView<Hop*> host_hops_;  // empty for nearest neighbours
  FieldView<Hop*> hops_;
};

}  // namespace trellis
