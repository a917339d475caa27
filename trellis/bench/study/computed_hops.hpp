// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes neighbours instead of reading the lattice's table: the number of a tile is decomposed into its place in the
// virtual node, a step is taken, and the new place is converted back. Tiles are ordered as in lattice.hpp: x fastest,
// then the column's y and z, then t, then the columns in y and z. Five divisions per tile, and no memory accesses: this
// shows what the table saves on a CPU and costs where memory is scarcer than arithmetic.

#include "trellis/dirac/stencil/hop_sum.hpp"
#include "trellis/dirac/stencil/links.hpp"
#include "trellis/dirac/stencil/vectors.hpp"
#include "trellis/dirac/wilson/wilson_hops.hpp"

namespace trellis::bench::study {

using namespace dirac;

struct VirtualNode {
  struct Place {
    int x;     // half the coordinate, since tiles are of one parity
    int y, z;  // in the column
    int t;
    int column_y, column_z;
  };

  int x, y, z, t;            // tiles of one parity per row, extents of a column, extent in t
  int columns_y, columns_z;  // columns in each direction
  std::int32_t shifts[8];    // for steps that leave the virtual node

  VirtualNode() = default;
  // The lattice must be in even/odd order; throws Error if it is ordered by bricks.
  explicit VirtualNode(const Lattice& lattice)
      : x(lattice.block()[0] / 2),
        y(lattice.column()[0]),
        z(lattice.column()[1]),
        t(lattice.block()[3]),
        columns_y(lattice.block()[1] / y),
        columns_z(lattice.block()[2] / z) {
    if (lattice.directions() != Coordinate{0, 1, 2, 3} || lattice.brick() != Coordinate{lattice.block()[0], 1, 1, 1})
      fail("hops are computed for columns without bricks");
    int stride = 1;
    for (int mu = 0; mu < 4; ++mu) {
      const int nodes = lattice.lane_grid()[mu];
      shifts[mu] = 1 % nodes * stride;
      shifts[backward(mu)] = (nodes - 1) * stride;
      stride *= nodes;
    }
  }

  TRELLIS_INLINE Place place(int tile) const {
    Place p;
    unsigned rest = static_cast<unsigned>(tile);
    const auto next = [&rest](int extent) {
      const unsigned divisor = static_cast<unsigned>(extent), quotient = rest / divisor;
      const int remainder = static_cast<int>(rest - quotient * divisor);
      rest = quotient;
      return remainder;
    };
    p.x = next(x);
    p.y = next(y);
    p.z = next(z);
    p.t = next(t);
    p.column_y = next(columns_y);
    p.column_z = static_cast<int>(rest);
    return p;
  }
  TRELLIS_INLINE int tile(const Place& p) const {
    return ((((p.column_z * columns_y + p.column_y) * t + p.t) * z + p.z) * y + p.y) * x + p.x;
  }

  // Takes a step from the tile of parity Parity at p; true if that leaves the virtual node.
  template <int Parity>
  TRELLIS_INLINE bool step(Place& p, int direction) const {
    const bool odd_x = ((p.column_y * y + p.y + p.column_z * z + p.z + p.t + Parity) & 1) != 0;
    switch (direction) {
      case 0:
        return odd_x && up(p.x, x);
      case 1:
        return up(p.y, y) && up(p.column_y, columns_y);
      case 2:
        return up(p.z, z) && up(p.column_z, columns_z);
      case 3:
        return up(p.t, t);
      case 4:
        return !odd_x && down(p.x, x);
      case 5:
        return down(p.y, y) && down(p.column_y, columns_y);
      case 6:
        return down(p.z, z) && down(p.column_z, columns_z);
      default:
        return down(p.t, t);
    }
  }

 private:
  // Moves to the next coordinate, wrapping around; true if it did wrap.
  TRELLIS_INLINE static bool up(int& coordinate, int extent) {
    const bool wraps = coordinate + 1 == extent;
    coordinate = wraps ? 0 : coordinate + 1;
    return wraps;
  }
  TRELLIS_INLINE static bool down(int& coordinate, int extent) {
    const bool wraps = coordinate == 0;
    coordinate = wraps ? extent - 1 : coordinate - 1;
    return wraps;
  }
};

// Replaces TableHops, for tiles of parity Parity. Which hops have factors is still read from the tables.
template <class C, int Parity, bool Permutes = (ComplexTraits<C>::width > 1), bool Broadcast = false>
struct ComputedHops : stencil::TableHops<C, 8, stencil::Factors::marked, Permutes, Broadcast> {
  VirtualNode node;

  TRELLIS_INLINE Hop operator()(int tile, int step) const {
    VirtualNode::Place p = node.place(tile);
    const bool leaves = node.step<Parity>(p, step);
    return {node.tile(p), leaves ? node.shifts[step] : 0};
  }
  TRELLIS_INLINE int target(int hop) const {
    const int known = hop < this->last ? hop : this->last;
    return (*this)(known / 8, known % 8).tile;
  }
  // False for tiles past the last one.
  TRELLIS_INLINE bool is_new(int tile, int step) const {
    if (8 * tile > this->last) return false;
    if (step == 3) return true;
    VirtualNode::Place p = node.place(tile);
    const VirtualNode::Place from = p;
    node.step<Parity>(p, step);
    return p.column_y != from.column_y || p.column_z != from.column_z;
  }
};

}  // namespace trellis::bench::study
