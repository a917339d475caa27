// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tiles beyond the surface of a rank's block (lattice.hpp), for code that makes tables of them.

#include <vector>

#include "trellis/lattice/lattice.hpp"

namespace trellis::lattice_detail {

inline Coordinate split(std::int64_t number, const Coordinate& size) {
  Coordinate x;
  for (int mu = 0; mu < 4; ++mu) {
    x[mu] = static_cast<int>(number % size[mu]);
    number /= size[mu];
  }
  return x;
}

inline std::int64_t join(const Coordinate& x, const Coordinate& size) {
  return ((std::int64_t(x[3]) * size[2] + x[2]) * size[1] + x[1]) * size[0] + x[0];
}

inline bool inside(const Coordinate& x, const Coordinate& block) {
  bool all = true;
  for (int mu = 0; mu < 4; ++mu) all = all && x[mu] >= 0 && x[mu] < block[mu];
  return all;
}

// Coordinates may be negative.
inline int parity_of(const Coordinate& x) { return (x[0] + x[1] + x[2] + x[3] + 8) % 2; }

// How many steps a place is outside the block in each direction, negative if it is below 0.
inline Coordinate steps_out(const Coordinate& x, const Coordinate& block) {
  Coordinate out{};
  for (int mu = 0; mu < 4; ++mu) out[mu] = x[mu] < 0 ? x[mu] : x[mu] >= block[mu] ? x[mu] - block[mu] + 1 : 0;
  return out;
}

// How far out a ghost is: 1 if one step beyond a face (near), 2 at a corner of two faces, 3 if two steps out in some
// direction; 0 if links have no ghost there.
int reach_of(const Coordinate& steps);
// How many steps beyond a single face; 0 if beyond several, or none.
int straight_steps(const Coordinate& steps);

// Ways out of a block: 0..7 are the faces, numbered like steps, then come pairs of faces. A way corresponds to a sign
// for each direction, of which at most two are not 0.
inline constexpr int ways = 32;
int way_of(const Coordinate& signs);
Coordinate signs_of(int way);

struct GhostTiles {
  int near = 0, of_vectors = 0, count = 0;  // of one parity
  // All ghosts: near ones first, face by face, then those further beyond a face as far as vectors reach, then corners,
  // then the others.
  std::vector<Coordinate> places;

  GhostTiles(const Coordinate& block, const Coordinate& cut, int vector_reach = 1);
  // Number within the parity; -1 if there is none.
  int number(const Coordinate& x) const;

 private:
  std::int64_t place(const Coordinate& x) const;
  Coordinate margin_{}, extended_{};
  std::vector<std::int32_t> numbers_;
};

}  // namespace trellis::lattice_detail
