// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The atoms in each of many small cubes, the cells, found by counting. Cells are at least half as wide as `range`, and
// lie in lines along x: everything within `range` of an atom is in the 5 x 5 lines around its own, five cells of each.
// Two cells are outside the box on every side, for periodic images.

#include <cmath>

#include "examples/minimd/atoms.hpp"

namespace examples::minimd {

struct CellGrid {
  CellGrid(double box, double range);

  static constexpr int margin = 2;
  double cells_per_length;
  int edge;  // cells, including those outside the box

  Index cells() const { return Index{edge} * edge * edge; }
  TRELLIS_FUNCTION int along(double x) const {
    const int k = int(std::floor(x * cells_per_length)) + margin;
    return k < 0 ? 0 : k < edge ? k : edge - 1;
  }
  TRELLIS_FUNCTION Index cell(int x, int y, int z) const { return (Index{z} * edge + y) * edge + x; }
};

struct CellList {
  CellGrid grid;
  View<int*> first;  // cells + 1 numbers: the atoms of cell c are atoms(first(c)), ..., in ascending order
  View<int*> atoms;
};

// Sorts the first `count` rows into cells. Cost: a few passes; the result does not depend on the number of threads.
CellList sort_into_cells(const CellGrid& grid, const Positions& position, Index count);

}  // namespace examples::minimd
