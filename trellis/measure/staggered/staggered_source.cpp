// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered/staggered_source.hpp"

#include <numbers>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/staggered/staggered_hadron_kernel.hpp"

namespace trellis::measure {

namespace {

// The sites of a wall, and what is there.
struct Wall {
  OddSteps odd;
  std::int64_t first, last;  // lexicographic numbers of its time slice, the last excluded
  bool corners;              // otherwise by the parity of the differences in space:
  double at_even = 1, at_odd = 0;

  TRELLIS_INLINE double at(std::int64_t site) const {
    if (site < first || site >= last) return 0;
    const std::uint32_t bits = odd(std::uint64_t(site)) & odd_in_space;
    if (corners) return bits == 0 ? 1 : 0;
    return ((bits ^ bits >> 1 ^ bits >> 2) & 1) == 0 ? at_even : at_odd;
  }
};

template <int W>
void fill_wall(const Wall& wall, const FullVectors<double, W>& b) {
  using S = lanes_t<double, W>;
  const auto sites = b.lattice().tile_sites();
  for (const auto& field : b.part) {
    const auto to = field.access();
    const int first_tile = field.first_tile();
    for_each_vector(
        {"staggered wall source", bytes_of(field)}, b.lattice(), b.count(), TRELLIS_KERNEL(int tile, int n) {
          const LaneSites own = sites(first_tile + tile);
          S values[6];
          for (auto& value : values) value = S(0.0);
          for (const int l : own_lanes<S>()) set_lane(values[2 * n], l, wall.at(own[l]));
          to.store(tile, n, values);
        });
  }
}

template <int W>
void draw_wall(const Wall& wall, StaggeredSource kind, const RandomStream& stream, std::uint32_t first_draw,
               const FullVectors<double, W>& b) {
  using S = lanes_t<double, W>;
  const auto sites = b.lattice().tile_sites();
  const bool complex = kind == StaggeredSource::z4_wall, any_phase = kind == StaggeredSource::u1_wall;
  const double size = complex ? std::numbers::sqrt2 / 2 : 1;
  for (const auto& field : b.part) {
    const auto to = field.access();
    const int first_tile = field.first_tile();
    for_each_vector(
        {"draw noise on a wall", bytes_of(field)}, b.lattice(), b.count(), TRELLIS_KERNEL(int tile, int n) {
          const LaneSites own = sites(first_tile + tile);
          S values[6];
          for (auto& value : values) value = S(0.0);
          for (const int l : own_lanes<S>()) {
            if (wall.at(own[l]) == 0) continue;
            const auto words = stream.words(std::uint64_t(own[l]), first_draw + std::uint32_t(n));
            if (any_phase) {
              for (int k = 0; k < 3; ++k) {
                double re = 0, im = 0;
                sincospi((double(words[std::size_t(k)]) + 0.5) * 0x1p-31, im, re);
                set_lane(values[2 * k], l, re);
                set_lane(values[2 * k + 1], l, im);
              }
              continue;
            }
            const auto word = words[0];
            for (int k = 0; k < 6; ++k)
              if (complex || k % 2 == 0) set_lane(values[k], l, (word >> k & 1) != 0 ? size : -size);
          }
          to.store(tile, n, values);
        });
  }
}

template <int W>
void fill_point(const Coordinate& x0, const FullVectors<double, W>& b) {
  b.set_zero();
  if (!b.lattice().owns(x0)) return;
  for (int n = 0; n < 3; ++n) {
    std::array<double, 6> values{};
    values[2 * std::size_t(n)] = 1;
    b.set(x0, values, n);
  }
}

}  // namespace

template <int W>
void staggered_source(StaggeredSource kind, const Coordinate& x0, const RandomStream& stream, std::uint32_t first_draw,
                      const FullVectors<double, W>& b) {
  const Lattice& lattice = b.lattice();
  for (int mu = 0; mu < 4; ++mu)
    if (x0[mu] < 0 || x0[mu] >= lattice.size(mu))
      fail_input("staggered source: ({}) is not on the lattice {}", joined(x0, ", "), to_string(lattice.size()));
  if (!is_noise(kind) && b.count() != 3) fail("staggered source: {} vectors; expected one per colour", b.count());
  if (kind == StaggeredSource::point) return fill_point<W>(x0, b);
  const std::int64_t slice = lattice.volume() / lattice.size(3);
  const Wall wall{.odd = OddSteps(lattice.size(), x0),
                  .first = slice * x0[3],
                  .last = slice * (x0[3] + 1),
                  .corners = !is_wall_of_parities(kind),
                  .at_odd = kind == StaggeredSource::even_odd_wall         ? 1.0
                            : kind == StaggeredSource::even_minus_odd_wall ? -1.0
                                                                           : 0.0};
  if (is_noise(kind)) return draw_wall<W>(wall, kind, stream, first_draw, b);
  fill_wall<W>(wall, b);
}

#define TRELLIS_INSTANTIATE(W)                                                                              \
  template void staggered_source<W>(StaggeredSource, const Coordinate&, const RandomStream&, std::uint32_t, \
                                    const FullVectors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
