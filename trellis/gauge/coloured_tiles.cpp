// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/coloured_tiles.hpp"

#include "trellis/core/parallel.hpp"

namespace trellis::gauge {

namespace {

// The colour of each link, [tile][mu][lane], and the set of a tile's, [tile][mu].
void find_colours(const Lattice& lattice, const LinkColours& colours, unsigned char* of_links,
                  unsigned char* of_tiles) {
  const TileSites sites = lattice.tile_sites();
  const Coordinate size = lattice.size();
  const int lanes = lattice.lanes();
  parallel_for(
      "link colours", RangePolicy<FieldSpace>(0, lattice.tiles()), TRELLIS_KERNEL(Index tile) {
        const LaneSites numbers = sites(static_cast<int>(tile));
        unsigned found[4] = {};
        for (int l = 0; l < lanes; ++l) {
          Coordinate x;
          std::int64_t rest = numbers[l];
          for (int mu = 0; mu < 4; ++mu) {
            x[mu] = static_cast<int>(rest % size[mu]);
            rest /= size[mu];
          }
          for (int mu = 0; mu < 4; ++mu) {
            const int colour = colours(x, mu);
            of_links[(4 * tile + mu) * lanes + l] = static_cast<unsigned char>(colour);
            found[mu] |= 1u << colour;
          }
        }
        for (int mu = 0; mu < 4; ++mu) of_tiles[4 * tile + mu] = static_cast<unsigned char>(found[mu]);
      });
}

// How many colours the tiles have in all directions together.
Index count_colours(const unsigned char* of_tiles, Index tiles) {
  Index total = 0;
  parallel_reduce(
      "count colours", RangePolicy<FieldSpace>(0, 4 * tiles),
      TRELLIS_KERNEL(Index n, Index & sum) {
        for (int colour = 0; colour < 8; ++colour) sum += of_tiles[n] >> colour & 1;
      },
      total);
  return total;
}

// Direction by direction and colour by colour the tiles that hold some, and where in the list each of these begins.
void list_tiles(const unsigned char* of_tiles, Index tiles, int colours, std::int32_t* list, Index* begins) {
  Index total = 0;
  parallel_scan(
      "tiles by colour", RangePolicy<FieldSpace>(0, 4 * colours * tiles),
      TRELLIS_KERNEL(Index n, Index & before, bool final) {
        const Index group = n / tiles, tile = n - group * tiles, mu = group / colours;
        if (final && tile == 0) begins[group] = before;
        if ((of_tiles[4 * tile + mu] >> (group - mu * colours) & 1) == 0) return;
        if (final) list[before] = static_cast<std::int32_t>(tile);
        ++before;
      },
      total);
}

}  // namespace

ColouredTiles::ColouredTiles(const Lattice& lattice, const LinkColours& colours)
    : count_(colours.count()), table_("link colours", 4 * lattice.volume()) {
  const Index tiles = lattice.tiles();
  const FieldView<unsigned char*> of_tiles("colours of tiles", 4 * tiles);
  find_colours(lattice, colours, table_.data(), of_tiles.data());
  const Index total = count_colours(of_tiles.data(), tiles);
  mixed_ = total > 4 * tiles;
  list_ = FieldView<std::int32_t*>("tiles by colour", total);
  const FieldView<Index*> begins("where colours begin", 4 * count_);
  list_tiles(of_tiles.data(), tiles, count_, list_.data(), begins.data());
  const auto on_host = create_mirror_view_and_copy(HostSpace{}, begins);
  begins_.assign(on_host.data(), on_host.data() + 4 * count_);
  begins_.push_back(total);
}

int ColouredTiles::tiles(int mu, int colour) const {
  const std::size_t n = group(mu, colour);
  return static_cast<int>(begins_[n + 1] - begins_[n]);
}

}  // namespace trellis::gauge
