// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/cells.hpp"

#include "trellis/core/atomic.hpp"
#include "trellis/core/parallel.hpp"

namespace examples::minimd {

using namespace trellis;

CellGrid::CellGrid(double box, double range) {
  const double inner = std::floor(2 * box / range);
  cells_per_length = inner / box;
  edge = int(inner) + 2 * margin;
}

CellList sort_into_cells(const CellGrid& grid, const Positions& position, Index count) {
  const Index cells = grid.cells();
  const View<int*> cell_of(uninitialized, "cell of atom", count);
  const View<int*> filled("atoms put into cell", cells);
  const View<int*> first("first atom of cell", cells + 1);
  const View<int*> atoms(uninitialized, "atoms by cell", count);

  parallel_for(
      "count", count, TRELLIS_LAMBDA(Index i) {
        const Index cell =
            grid.cell(grid.along(position(i, 0)), grid.along(position(i, 1)), grid.along(position(i, 2)));
        cell_of(i) = int(cell);
        atomic_add(&first(cell), 1);
      });
  int total = 0;
  parallel_scan(
      "first", cells + 1,
      TRELLIS_LAMBDA(Index cell, int& before, bool final) {
        const int here = first(cell);
        if (final) first(cell) = before;
        before += here;
      },
      total);
  parallel_for(
      "fill", count, TRELLIS_LAMBDA(Index i) {
        const int cell = cell_of(i);
        atoms(first(cell) + atomic_fetch_add(&filled(cell), 1)) = int(i);
      });
  // Atoms arrive in arbitrary order: sorts the few atoms of a cell by insertion.
  parallel_for(
      "order", cells, TRELLIS_LAMBDA(Index cell) {
        const int begin = first(cell), end = first(cell + 1);
        for (int k = begin + 1; k < end; ++k) {
          const int atom = atoms(k);
          int to = k;
          for (; to > begin && atoms(to - 1) > atom; --to) atoms(to) = atoms(to - 1);
          atoms(to) = atom;
        }
      });
  return {grid, first, atoms};
}

}  // namespace examples::minimd
