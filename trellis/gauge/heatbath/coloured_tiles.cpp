// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/coloured_tiles.hpp"

#include <algorithm>

#include "trellis/core/parallel.hpp"
#include "trellis/core/runtime/dry_run.hpp"

namespace trellis::gauge {

namespace {

// The n-th of a lattice's own tiles: between the parities are ghosts.
struct OwnTiles {
  Index half, ghosts;
  explicit OwnTiles(const Lattice& lattice) : half(lattice.tiles() / 2), ghosts(lattice.own_tile(int(half)) - half) {}
  TRELLIS_INLINE Index operator()(Index n) const { return n < half ? n : n + ghosts; }
};

constexpr unsigned char no_colour = 255;

// The colour of each link, [tile][mu][lane], and the set of colours on the n-th tile, [n][mu].
void find_colours(const Lattice& lattice, const LinkColours& colours, const Box& box, unsigned char* of_links,
                  unsigned char* of_tiles) {
  const TileSites sites = lattice.tile_sites();
  const Coordinate size = lattice.size();
  const int lanes = lattice.lanes();
  const OwnTiles own(lattice);
  parallel_for(
      "link colours", RangePolicy<FieldSpace>(0, lattice.tiles()), TRELLIS_KERNEL(Index n) {
        const Index tile = own(n);
        const LaneSites numbers = sites(static_cast<int>(tile));
        unsigned found[4] = {};
        for (int l = 0; l < lanes; ++l) {
          Coordinate x;
          std::int64_t rest = numbers[l];
          for (int mu = 0; mu < 4; ++mu) {
            x[mu] = static_cast<int>(rest % size[mu]);
            rest /= size[mu];
          }
          const bool inside = box.contains(x, size);
          for (int mu = 0; mu < 4; ++mu) {
            const int colour = colours(x, mu);
            of_links[(4 * tile + mu) * lanes + l] = inside ? static_cast<unsigned char>(colour) : no_colour;
            if (inside) found[mu] |= 1u << colour;
          }
        }
        for (int mu = 0; mu < 4; ++mu) of_tiles[4 * n + mu] = static_cast<unsigned char>(found[mu]);
      });
}

// The number of colours per tile and direction, summed.
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

// For each direction and colour the list of tiles that contain it, and where in the list each of these begins.
void list_tiles(const unsigned char* of_tiles, const OwnTiles& own, int colours, std::int32_t* list, Index* begins) {
  const Index tiles = 2 * own.half;
  Index total = 0;
  parallel_scan(
      "tiles by colour", RangePolicy<FieldSpace>(0, 4 * colours * tiles),
      TRELLIS_KERNEL(Index n, Index & before, bool final) {
        const Index group = n / tiles, number = n - group * tiles, mu = group / colours;
        if (final && number == 0) begins[group] = before;
        if ((of_tiles[4 * number + mu] >> (group - mu * colours) & 1) == 0) return;
        if (final) list[before] = static_cast<std::int32_t>(own(number));
        ++before;
      },
      total);
}

}  // namespace

ColouredTiles::ColouredTiles(const Lattice& lattice, const LinkColours& colours, const Box& box)
    : count_(colours.count()), whole_(box.volume() == lattice.volume()), table_("link colours", 4 * lattice.places()) {
  const Index tiles = lattice.tiles();
  const FieldView<unsigned char*> of_tiles("colours of tiles", 4 * tiles);
  find_colours(lattice, colours, box, table_.data(), of_tiles.data());
  if (in_dry_run()) {  // sites are not inspected: with rectangles all tiles may be mixed
    mixed_ = count_ > 2;
    list_ = FieldView<std::int32_t*>("tiles by colour", 4 * tiles);
    for (int n = 0; n <= 4 * count_; ++n) begins_.push_back(n * tiles / count_);
    return;
  }
  const Index total = count_colours(of_tiles.data(), tiles);
  mixed_ = total > 4 * tiles || (!whole_ && lattice.lanes() > 1);
  list_ = FieldView<std::int32_t*>("tiles by colour", total);
  const FieldView<Index*> begins("where colours begin", 4 * count_);
  list_tiles(of_tiles.data(), OwnTiles(lattice), count_, list_.data(), begins.data());
  const auto on_host = create_mirror_view_and_copy(HostSpace{}, begins);
  begins_.assign(on_host.data(), on_host.data() + 4 * count_);
  begins_.push_back(total);
}

int ColouredTiles::tiles(int mu, int colour) const {
  const std::size_t n = group(mu, colour);
  return static_cast<int>(begins_[n + 1] - begins_[n]);
}

int ColouredTiles::most_tiles() const {
  int most = 0;
  for (int mu = 0; mu < 4; ++mu)
    for (int colour = 0; colour < count_; ++colour) most = std::max(most, tiles(mu, colour));
  return most;
}

}  // namespace trellis::gauge
