// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/quark_source.hpp"

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

namespace {

template <int W>
void start(const FullSpinors<double, W>& b) {
  if (b.count() != columns) fail("quark source: {} columns; expected {}", b.count(), columns);
  b.set_zero();
}

}  // namespace

template <int W>
void point_source(const Coordinate& x, const FullSpinors<double, W>& b) {
  start(b);
  const Coordinate& size = b.lattice().size();
  for (int mu = 0; mu < 4; ++mu)
    if (x[mu] < 0 || x[mu] >= size[mu])
      fail_input("quark source: ({}, {}, {}, {}) is not on the lattice {}x{}x{}x{}", x[0], x[1], x[2], x[3], size[0],
                 size[1], size[2], size[3]);
  if (!b.lattice().owns(x)) return;
  for (int column = 0; column < columns; ++column) {
    std::array<double, 24> values{};
    values[2 * std::size_t(column)] = 1;
    b.set(x, values, column);
  }
}

template <int W>
void wall_source(int time, const FullSpinors<double, W>& b) {
  using S = lanes_t<double, W>;
  start(b);
  const Lattice& lattice = b.lattice();
  if (time < 0 || time >= lattice.size(3))
    fail_input("quark source: the time {} is not on a lattice of {} time slices", time, lattice.size(3));
  const std::int64_t slice = lattice.volume() / lattice.size(3);
  const auto sites = lattice.tile_sites();
  for (const auto& field : b.part) {
    const auto to = field.access();
    const int first_tile = field.first_tile();
    for_each_vector(
        {"wall source", bytes_of(field) / 24}, lattice, columns, TRELLIS_KERNEL(int tile, int column) {
          const LaneSites own = sites(first_tile + tile);
          S value(0.0);
          for (const int l : own_lanes<S>())
            if (own[l] / slice == time) set_lane(value, l, 1.0);
          to.store(tile, column, 2 * column, value);
        });
  }
}

#define TRELLIS_INSTANTIATE(W)                                                     \
  template void point_source<W>(const Coordinate&, const FullSpinors<double, W>&); \
  template void wall_source<W>(int, const FullSpinors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
