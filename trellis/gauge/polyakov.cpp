// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/largest_number.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge {

namespace {

// The product of the links met on `steps` steps in direction mu from the sites of a tile.
template <class T, int W>
TRELLIS_HOST_CALL Matrix<lanes_t<T, W>> straight_line(const GaugeAccess<T, W>& u, int tile, int mu, int steps) {
  Hop at{tile, 0};
  Matrix<lanes_t<T, W>> product = u.link(tile, mu);
  for (int k = 1; k < steps; ++k) {
    at = u.neighbours(at, mu);
    product = product * u.link(at, mu);
  }
  return product;
}

}  // namespace

// Each loop is multiplied from its site with coordinate 0 on, so that the bits do not depend on how lanes cut the
// lattice. A tile whose first lane is in that slice may have lanes in others: they are left out of the sum.
template <class T, int W>
std::complex<double> polyakov_loop(const GaugeField<T, W>& u, int direction) {
  using D = lanes_t<double, W>;
  if (direction < 0 || direction > 3) fail_input("Polyakov loop in direction {}; directions are 0 to 3", direction);
  const Lattice& lattice = u.lattice();
  const auto links = u.access();
  const TileSites sites = lattice.tile_sites();
  const int extent = lattice.size(direction);
  std::int64_t stride = 1;
  for (int mu = 0; mu < direction; ++mu) stride *= lattice.size(mu);
  const double products = double(lattice.volume() / extent) * (extent - 1);
  const Kernel kernel{"Polyakov loop", bytes_of(u) / 4, products * product_flops, is_single<T>};
  const auto sums = sum_over_tiles<D, 2>(
      kernel, lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        const LaneSites own = sites(tile);
        if (own[0] / stride % extent != 0) return;
        D in_slice = D(0.0);
        for (const int l : own_lanes<D>()) set_lane(in_slice, l, own[l] / stride % extent == 0 ? 1.0 : 0.0);
        const auto loop = trace(straight_line(links, tile, direction, extent));
        out[0].add(in_slice * convert<double>(loop.re));
        out[1].add(in_slice * convert<double>(loop.im));
      });
  const double norm = 3.0 * double(lattice.volume() / extent);
  return {sums[0] / norm, sums[1] / norm};
}

template <class T, int W>
double link_trace(const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  const auto links = u.access();
  const auto sums = sum_over_tiles<D, 1>(
      {"link trace", bytes_of(u) / 6}, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        D sum = D(0.0);
        for (int mu = 0; mu < 4; ++mu)
          for (int i = 0; i < 3; ++i) sum = sum + convert<double>(links.load(tile, 18 * mu + 8 * i));
        out[0].add(sum);
      });
  return sums[0] / (12.0 * double(u.lattice().volume()));
}

template <class T, int W>
double unitarity_violation(const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  const auto links = u.access();
  const LargestNumber<W> violations(u.lattice());
  const auto out = violations.access();
  for_each_tile(
      {"unitarity violation", bytes_of(u)}, u.lattice(), TRELLIS_KERNEL(int tile) {
        D most = D(0.0);
        for (int mu = 0; mu < 4; ++mu) {
          const auto link = links.link(tile, mu);
          Matrix<D> m;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              m.e[i][j] = {convert<double>(link.e[i][j].re), convert<double>(link.e[i][j].im)};
          most = out.larger(most, trellis::unitarity_violation(m));
        }
        out.keep(tile, most);
      });
  return std::sqrt(violations.largest());
}

#define TRELLIS_INSTANTIATE_FOR(T, W)                                              \
  template std::complex<double> polyakov_loop<T, W>(const GaugeField<T, W>&, int); \
  template double link_trace<T, W>(const GaugeField<T, W>&);                       \
  template double unitarity_violation<T, W>(const GaugeField<T, W>&);
#define TRELLIS_INSTANTIATE(W)      \
  TRELLIS_INSTANTIATE_FOR(float, W) \
  TRELLIS_INSTANTIATE_FOR(double, W)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::gauge
