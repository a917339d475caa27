// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The four-dimensional periodic lattice and the order in which its sites lie in memory.
//
// Directions 0, 1, 2, 3 are x, y, z, t. A site's lexicographic number, x fastest, identifies it in files and for random
// numbers. In memory sites lie in tiles of `lanes` sites, one per SIMD lane: the lattice is cut into a grid of `lanes`
// equal blocks ("virtual nodes"), and lane l of a tile is the same place in the l-th block. A step in a direction leads
// from a tile to one other tile, and permutes the lanes where it leaves the block; the permutation is always a shift in
// the grid of lanes, so one number identifies it. With one lane this is an ordinary site order.
//
// Tiles are stored in columns of a few y and z: x fastest, then the column's y and z, then t, then the columns, so that
// the links around a tile are contiguous, and still in the second-level cache when t advances by one. On a GPU columns
// cover all of y and z up to 2^15 sites per slice, and are ordered by bricks of 4x2x2x2 tiles, which share neighbours;
// with one lane, for several vectors per site, columns are 16x8 and bricks 4x4x4x2. Even sites come first and odd ones
// after (parity of x + y + z + t), or both together ("lexicographic"). Extents are even and at least 2; a direction is
// split over lanes only if the block's extent stays even. Copies share their tables. Memory: 73 bytes per tile, on a
// GPU the same again on the host.
//
// The ranks of a ProcessGrid have equal parts of the lattice. Extents, coordinates and lexicographic numbers are those
// of the whole; tiles, lanes, blocks and places in memory those of this rank. If a direction is cut between ranks,
// tiles at the block's surface have ghosts for neighbours: tiles beyond the surface, whose numbers other ranks send
// (halo.hpp). Ghosts of a parity are stored behind its own tiles, [even][even ghosts][odd][odd ghosts]; tables of hops
// lead into them, through them and back, so kernels need not know about them. Ghosts one step beyond a face are first
// ("near"), then those two and three steps beyond one, as far as vectors have them (LatticeShape::vector_reach, 1 by
// default), and then the others that staples need: at most two steps out in one direction, or three in two. In a cut
// direction steps do not permute lanes: all lanes of a ghost are filled, including those that come from this rank.

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "trellis/comm/process_grid.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis {

class Halo;

enum class SiteOrder { lexicographic, even_odd };

// Entries that are 0 are chosen by the lattice. The shape changes where sites are stored, but no result.
struct LatticeShape {
  Coordinate lane_grid{};       // blocks in each direction; their product is the lane count
  std::array<int, 2> column{};  // extents of a column in y and z
  Coordinate brick{};           // extents of a brick, of which a column is made
  Coordinate directions{};      // which directions play the part of x, y, z, t in this order; all 0: x, y, z, t
  Coordinate ghosts{};          // 1: ghosts in this direction even if it is not cut, for tests
  int vector_reach = 1;  // how many steps beyond a face vectors have ghosts: 1, 2 or 3, as for hops (hop_pattern.hpp)
  bool operator==(const LatticeShape&) const = default;
};

// Steps are numbered 0..3 forwards in x, y, z, t and 4..7 backwards.
TRELLIS_INLINE constexpr int backward(int direction) { return direction + 4; }

// Where a step leads: lane l of the result is lane l shifted by `shift` of tile `tile`.
struct Hop {
  std::int32_t tile;
  std::int32_t shift;
};

// How many lanes away a shift reads its numbers, where lanes are threads: the parts of the two lane numbers are added
// separately. 0 where a register holds all lanes, and permutes them. high_bits: see Neighbours.
template <class S>
TRELLIS_INLINE int lane_displacement([[maybe_unused]] int high_bits, [[maybe_unused]] int shift) {
  if constexpr (requires { S::own(); }) {
    const int own = S::own(), low = ~high_bits;
    return (((own & low) + (shift & low)) ^ ((own ^ shift) & high_bits)) - own;
  } else {
    return 0;
  }
}

// What kernels need to know: plain pointers, owned by the Lattice.
struct Neighbours {
  const Hop* hops;            // [tile][8]
  const std::int32_t* lanes;  // [shift][lane]: the lane to take
  const std::int32_t* sums;   // [shift][shift]: the two shifts combined
  const std::uint8_t* exits;  // [tile]: bit k is set where step k leads out of the column
  int lane_count;
  int high_bits;  // the highest bit of each of the four parts of a lane's number, one per direction

  template <class S>
  TRELLIS_INLINE int displacement(int shift) const {
    return lane_displacement<S>(high_bits, shift);
  }
  TRELLIS_INLINE Hop operator()(int tile, int step) const { return hops[8 * tile + step]; }
  TRELLIS_INLINE Hop operator()(Hop from, int step) const {
    const Hop next = hops[8 * from.tile + step];
    return {next.tile, sums[next.shift * lane_count + from.shift]};
  }
  TRELLIS_INLINE const std::int32_t* permutation(int shift) const { return lanes + shift * lane_count; }
};

// Lexicographic numbers of the sites of a tile: [lane].
struct LaneSites {
  std::int64_t origin;
  const std::int64_t* offsets;  // [lane]
  TRELLIS_INLINE std::int64_t operator[](int lane) const { return origin + offsets[lane]; }
};
struct TileSites {
  const std::int64_t *origins, *offsets;  // [tile], [lane]
  TRELLIS_INLINE LaneSites operator()(int tile) const { return {origins[tile], offsets}; }
};

class Lattice {
 public:
  // Throws InputError if an extent is odd or below 2, if the lattice does not divide into that many lanes or into the
  // shape, or if vectors reach beyond a rank's neighbour.
  explicit Lattice(Coordinate size, int lanes = 1, SiteOrder order = SiteOrder::even_odd,
                   const LatticeShape& shape = {}, const comm::ProcessGrid& grid = {});
  // Defined in the source file: every field has a copy.
  Lattice(const Lattice&);
  Lattice(Lattice&&) noexcept;
  Lattice& operator=(const Lattice&);
  Lattice& operator=(Lattice&&) noexcept;
  ~Lattice();

  // True if a rank's part of a lattice divides into that many lanes.
  static bool divides(Coordinate local_size, int lanes);
  // The largest compiled lane count that fills registers of elements of this many bytes and divides a rank's part; 1
  // for several vectors on a GPU, where they lie side by side.
  static int best_lanes(Coordinate local_size, int element_bytes, int vectors = 1);

  // Of the whole lattice.
  const Coordinate& size() const { return size_; }
  int size(int direction) const { return size_[direction]; }
  std::int64_t volume() const { return volume_; }
  // Of this rank.
  const Coordinate& local_size() const { return local_size_; }
  const Coordinate& origin() const { return origin_; }  // its first site
  std::int64_t local_volume() const { return local_volume_; }
  std::int64_t local_parity_volume() const { return local_volume_ / 2; }
  const comm::ProcessGrid& grid() const { return grid_; }
  const comm::Communicator& ranks() const { return grid_.ranks(); }

  int lanes() const { return lanes_; }
  const Coordinate& lane_grid() const { return lane_grid_; }
  const Coordinate& block() const { return block_; }
  const std::array<int, 2>& column() const { return column_; }
  const Coordinate& brick() const { return brick_; }
  // Columns and bricks run along these instead of x, y, z, t.
  const Coordinate& directions() const { return directions_; }
  SiteOrder order() const { return order_; }
  // Without ghosts.
  int tiles() const { return static_cast<int>(local_volume_ / lanes_); }
  // The first tile of a parity; parity 1 comes after the ghosts of parity 0.
  int first_tile(int parity) const { return parity * parity_tiles_; }
  // The tile with number n among own tiles; and the number of all tiles, with ghosts.
  int own_tile(int n) const {
    const int half = tiles() / 2;
    return order_ == SiteOrder::lexicographic || n < half ? n : n - half + parity_tiles_;
  }
  int tiles_and_ghosts() const { return 2 * parity_tiles_; }
  // How many steps beyond a face vectors have ghosts. Without ghosts hops may be any length.
  int vector_reach() const { return vector_reach_; }
  // Places of a field on all sites and ghosts; and of one on a parity, which has only the ghosts of vectors.
  std::int64_t places() const { return 2 * std::int64_t(parity_tiles_) * lanes_; }
  std::int64_t parity_places() const { return std::int64_t(tiles() / 2 + vector_ghosts_) * lanes_; }
  bool has_ghosts() const { return halo_ != nullptr; }
  const Halo& halo() const { return *halo_; }
  // 1 for directions in which there are ghosts, otherwise 0.
  const Coordinate& ghost_directions() const { return cut_; }

  std::int64_t lexicographic(const Coordinate& x) const {
    return ((std::int64_t(x[3]) * size_[2] + x[2]) * size_[1] + x[1]) * size_[0] + x[0];
  }
  Coordinate coordinate(std::int64_t lexicographic) const;
  // Whether a site is this rank's.
  bool owns(const Coordinate& x) const;
  // Place in memory of a site of this rank: tile * lanes + lane.
  std::int64_t index(const Coordinate& x) const;
  // Lexicographic numbers of a tile's sites, lane by lane.
  void sites(int tile, std::int64_t* out) const {
    const LaneSites numbers = host_sites()(tile);
    for (int l = 0; l < lanes_; ++l) out[l] = numbers[l];
  }

  // The tables for kernels, and for the host.
  Neighbours neighbours() const { return tables_.neighbours(lanes_, high_lane_bits_); }
  TileSites tile_sites() const { return tables_.sites(); }
  Neighbours host_neighbours() const { return host_tables_.neighbours(lanes_, high_lane_bits_); }
  TileSites host_sites() const { return host_tables_.sites(); }

  bool operator==(const Lattice& other) const {
    return size_ == other.size_ && lane_grid_ == other.lane_grid_ && column_ == other.column_ &&
           brick_ == other.brick_ && directions_ == other.directions_ && order_ == other.order_ && cut_ == other.cut_ &&
           vector_reach_ == other.vector_reach_ && grid_ == other.grid_;
  }

 private:
  void require_reach() const;
  void choose_directions(const LatticeShape& shape);
  void choose_blocks(const LatticeShape& shape);
  void choose_column(const LatticeShape& shape);
  // Extents and coordinates in the order of directions().
  Coordinate ordered(const Coordinate& x) const {
    return {x[directions_[0]], x[directions_[1]], x[directions_[2]], x[directions_[3]]};
  }
  int tile_of(const Coordinate& in_block) const;
  void make_lane_tables();
  void make_tile_tables();

  friend class Halo;

  comm::ProcessGrid grid_;
  Coordinate size_, local_size_, origin_{}, cut_{};
  Coordinate lane_grid_{1, 1, 1, 1}, block_, directions_{0, 1, 2, 3};
  std::array<int, 2> column_{1, 1};  // extents in y and z
  Coordinate brick_;                 // divides a column
  std::int64_t volume_, local_volume_;
  int lanes_, vector_reach_;
  int parity_tiles_ = 0;   // with ghosts, of one parity
  int vector_ghosts_ = 0;  // of one parity
  int high_lane_bits_ = 0;
  SiteOrder order_;

  template <class Memory>
  struct Tables {
    View<Hop*, Memory> hops;
    View<std::int64_t*, Memory> origins, offsets;
    View<std::uint8_t*, Memory> exits;
    View<std::int32_t*, Memory> permutations, sums;

    Neighbours neighbours(int lanes, int high_bits) const {
      return {hops.data(), permutations.data(), sums.data(), exits.data(), lanes, high_bits};
    }
    TileSites sites() const { return {origins.data(), offsets.data()}; }
  };
  Tables<HostSpace> host_tables_;
  Tables<FieldMemory> tables_;
  std::shared_ptr<const Halo> halo_;
};

}  // namespace trellis
