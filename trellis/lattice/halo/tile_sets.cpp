// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/tile_sets.hpp"

#include <vector>

#include "trellis/lattice/halo/hop_list.hpp"

namespace trellis {

TileSets::TileSets(const Neighbours& host_neighbours, const std::array<int, 2>& first_tile, int own_tiles,
                   const HopPattern& pattern, bool apart)
    : pattern_(pattern), own_tiles_(own_tiles) {
  if (!apart) {
    for (const int parity : {0, 1}) sets_[parity][inner] = {nullptr, own_tiles};
    both_[1] = {nullptr, 2 * own_tiles};
    return;
  }
  std::vector<std::int32_t> found[2][count], found_of_both[2];
  for (int tile = 0; tile < own_tiles; ++tile)
    for (const int parity : {0, 1}) {
      int set = inner;
      for (const PatternHop& hop : pattern.all()) {
        const int there = along(host_neighbours, first_tile[std::size_t(parity)] + tile, hop).tile;
        const int parity_there = hop.distance % 2 == 0 ? parity : 1 - parity;
        if (there - first_tile[std::size_t(parity_there)] >= own_tiles)
          set = set == inner || set == hop.step ? hop.step : edges;
      }
      found[parity][set].push_back(tile);
      found_of_both[set == inner].push_back(first_tile[std::size_t(parity)] + tile);
    }
  const HostView<std::int32_t*> lists("tiles by ghosts", 4 * Index(own_tiles));
  Index n = 0;
  for (const auto& of_parity : found)
    for (const auto& set : of_parity)
      for (const std::int32_t tile : set) lists(n++) = tile;
  for (const auto& set : found_of_both)
    for (const std::int32_t tile : set) lists(n++) = tile;
  lists_ = in_field_memory(lists);
  const std::int32_t* list = lists_.data();
  for (const int parity : {0, 1})
    for (int set = 0; set < count; ++set) {
      sets_[parity][set] = {list, int(found[parity][set].size())};
      list += found[parity][set].size();
    }
  for (int set = 0; set < 2; ++set) {
    both_[set] = {list, int(found_of_both[set].size())};
    list += found_of_both[set].size();
  }
}

}  // namespace trellis
