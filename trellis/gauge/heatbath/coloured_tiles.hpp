// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tiles that contain links of a colour (link_colours.hpp), for each direction, which a sweep over one colour
// visits; or only those with links of a box. Stored where kernels run. Memory: four colours per site and four numbers
// per tile; up to eight times the latter if the lanes of tiles differ in colour.

#include <vector>

#include "trellis/gauge/heatbath/box.hpp"
#include "trellis/gauge/heatbath/link_colours.hpp"

namespace trellis::gauge {

// The lanes of a tile whose link has the colour.
struct ColouredLanes {
  const unsigned char* colours;  // of the tile's links in one direction
  int colour;
  TRELLIS_INLINE bool operator[](int lane) const { return colours[lane] == colour; }
};

class ColouredTiles {
 public:
  // Links outside the box have no colour.
  ColouredTiles(const Lattice& lattice, const LinkColours& colours, const Box& box);
  ColouredTiles(const Lattice& lattice, const LinkColours& colours)
      : ColouredTiles(lattice, colours, whole_lattice(lattice.size())) {}

  int colours() const { return count_; }
  // True if some tile has lanes of several colours, or of one and none.
  bool mixed() const { return mixed_; }
  // Of the whole lattice, not of a box.
  bool whole() const { return whole_; }
  // The largest number of tiles(mu, colour).
  int most_tiles() const;
  // For links of one direction mu and colour: how many tiles contain some, and which ones, in order.
  int tiles(int mu, int colour) const;
  const std::int32_t* list(int mu, int colour) const { return list_.data() + begins_[group(mu, colour)]; }
  // [tile][mu][lane]
  const unsigned char* colours_of_links() const { return table_.data(); }

 private:
  std::size_t group(int mu, int colour) const { return std::size_t(mu) * std::size_t(count_) + std::size_t(colour); }

  int count_;
  bool whole_, mixed_;
  FieldView<unsigned char*> table_;
  FieldView<std::int32_t*> list_;
  std::vector<Index> begins_;  // [mu][colour], and the end
};

}  // namespace trellis::gauge
