// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/neighbours.hpp"

#include "trellis/core/parallel.hpp"

namespace examples::minimd {

using namespace trellis;

namespace {

template <class Layout>
struct FindNeighbours {
  Positions position;
  CellGrid grid;
  View<const int*> first, in_cell;
  View<int**, Layout> rows;
  View<int*> count;
  double range_squared;
  int far_row;

  TRELLIS_FUNCTION void operator()(Index i) const {
    const double x = position(i, 0), y = position(i, 1), z = position(i, 2);
    const int cx = grid.along(x), cy = grid.along(y), cz = grid.along(z);
    const int room = int(rows.extent(1));
    int found = 0;
    for (int lz = cz - 2; lz <= cz + 2; ++lz) {
      for (int ly = cy - 2; ly <= cy + 2; ++ly) {
        const int begin = first(grid.cell(cx - 2, ly, lz)), end = first(grid.cell(cx + 2, ly, lz) + 1);
        for (int k = begin; k < end; ++k) {
          const int j = in_cell(k);
          const double dx = x - position(j, 0), dy = y - position(j, 1), dz = z - position(j, 2);
          // Always written, and kept by advancing the count: no branch to mispredict.
          rows(i, found < room ? found : room - 1) = j;
          found += int(dx * dx + dy * dy + dz * dz < range_squared) & int(j != i);
        }
      }
    }
    count(i) = found;
    for (int k = found; k < room && k % lanes != 0; ++k) rows(i, k) = far_row;
  }
};

}  // namespace

template <class Layout>
void build(NeighbourList<Layout>& list, const Atoms& atoms, double range) {
  const CellList cells = sort_into_cells(CellGrid(atoms.box, range), atoms.position, atoms.far_row());
  if (list.count.size() != atoms.count) list.count = View<int*>(uninitialized, "neighbours of atom", atoms.count);
  // Room for one more neighbour than there are: a candidate is written before it is refused.
  const double expected =
      4.0 / 3 * 3.14159265358979 * range * range * range * double(atoms.count) / (atoms.box * atoms.box * atoms.box);
  int needed = int(1.3 * expected) + 8;
  for (;;) {
    if (list.rows.extent(0) != atoms.count || list.rows.extent(1) < needed) {
      list.rows = {};  // frees the old one before making the new one
      list.rows = View<int**, Layout>("neighbours", atoms.count, (needed + 7) / 8 * 8);
    }
    const FindNeighbours<Layout> find{atoms.position, cells.grid, cells.first,   cells.atoms,
                                      list.rows,      list.count, range * range, int(atoms.far_row())};
    parallel_for("neighbours", atoms.count, find);
    int most = 0;
    const auto count = list.count;
    parallel_reduce(
        "most neighbours", atoms.count,
        TRELLIS_LAMBDA(Index i, int& largest) { largest = count(i) > largest ? count(i) : largest; }, most, Max<int>{});
    if (most < list.rows.extent(1)) return;
    needed = most + 1;
  }
}

template void build(NeighbourList<LayoutRight>&, const Atoms&, double);
template void build(NeighbourList<LayoutLeft>&, const Atoms&, double);

}  // namespace examples::minimd
