// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tiles that hold links of a colour (link_colours.hpp), for each direction: what a sweep over one colour visits.
// Made where kernels run. Memory: four colours a site and four numbers a tile; up to eight times the latter where the
// lanes of tiles differ in colour.

#include <vector>

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
  ColouredTiles(const Lattice& lattice, const LinkColours& colours);

  int colours() const { return count_; }
  // True where some tile has lanes of several colours.
  bool mixed() const { return mixed_; }
  // Of the links in direction mu and one colour: how many tiles hold some, and which, in order.
  int tiles(int mu, int colour) const;
  const std::int32_t* list(int mu, int colour) const { return list_.data() + begins_[group(mu, colour)]; }
  // [tile][mu][lane]
  const unsigned char* colours_of_links() const { return table_.data(); }

 private:
  std::size_t group(int mu, int colour) const { return std::size_t(mu) * std::size_t(count_) + std::size_t(colour); }

  int count_;
  bool mixed_;
  FieldView<unsigned char*> table_;
  FieldView<std::int32_t*> list_;
  std::vector<Index> begins_;  // [mu][colour], and the end
};

}  // namespace trellis::gauge
