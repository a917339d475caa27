// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/hop_list.hpp"

#include "trellis/core/error.hpp"

namespace trellis {

HopList::HopList(const Lattice& lattice, const HopPattern& pattern) : lattice_(lattice), pattern_(pattern) {
  require_hops(pattern, lattice.has_ghosts() ? lattice.vector_reach() : most_reach);
  if (pattern == nearest_neighbours) return;
  const Neighbours neighbours = lattice.host_neighbours();
  const std::int64_t tiles = lattice.tiles_and_ghosts();
  host_hops_ = HostView<Hop*>(Uninitialized{}, "hops", tiles * pattern.count);
  for (int tile = 0; tile < tiles; ++tile)
    for (int k = 0; k < pattern.count; ++k)
      host_hops_(std::int64_t(tile) * pattern.count + k) = along(neighbours, tile, pattern.hops[std::size_t(k)]);
  hops_ = in_field_memory(host_hops_);
}

void HopList::require_count(int count) const {
  if (count != pattern_.count) fail("hops: {} were requested, but the pattern has {}", count, pattern_.count);
}

}  // namespace trellis
