// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge {

namespace {

// The product of the links on `steps` steps in direction mu from the sites of a tile.
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

// Which sites of a tile have a given coordinate.
struct Slice {
  TileSites sites;
  std::int64_t stride = 1;
  int extent;

  Slice(const Lattice& lattice, int direction) : sites(lattice.tile_sites()), extent(lattice.size(direction)) {
    for (int mu = 0; mu < direction; ++mu) stride *= lattice.size(mu);
  }
  TRELLIS_INLINE int coordinate(int tile, int lane) const {
    return static_cast<int>(sites(tile)[lane] / stride % extent);
  }
  template <class D>
  TRELLIS_INLINE D at(int tile, int x) const {
    D in_slice = D(0.0);
    for (const int l : own_lanes<D>()) set_lane(in_slice, l, coordinate(tile, l) == x ? 1.0 : 0.0);
    return in_slice;
  }
};

template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> load(const Access<T, 18, W>& products, int tile) {
  Matrix<lanes_t<T, W>> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.e[i][j] = products.load_complex(tile, 3 * i + j);
  return m;
}

// Products of links along lines that leave a block: for each site the links from coordinate 0 to its own. They are
// known at the last slice of every block, and continue in the next block from its ghosts, that is from another lane or
// rank. All blocks are traversed each time, and the n-th of a line is correct after n passes.
template <class T, int W>
class Lines {
 public:
  Lines(const GaugeField<T, W>& u, int direction)
      : u_(u), direction_(direction), products_("products along lines", u.lattice().places()) {}

  void walk(const Kernel& kernel) const {
    using S = lanes_t<T, W>;
    const Lattice& lattice = u_.lattice();
    const auto links = u_.access();
    const Access<T, 18, W> products{products_.data()};
    const Slice slice(lattice, direction_);
    const int mu = direction_, first = lattice.origin()[mu], steps = lattice.block()[mu];
    for_each_tile(
        kernel, lattice, TRELLIS_KERNEL(int tile) {
          if (slice.coordinate(tile, 0) != first) return;
          const S begins = slice.template at<S>(tile, 0);
          const Matrix<S> own = links.link(tile, mu);
          Matrix<S> product = load(products, links.neighbours(tile, backward(mu)).tile) * own;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) product.e[i][j] = select(begins > S(T(0)), own.e[i][j], product.e[i][j]);
          int at = tile;
          for (int k = 1; k < steps; ++k) {
            at = links.neighbours(at, mu).tile;
            product = product * links.link(at, mu);
          }
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) products.store_complex(at, 3 * i + j, product.e[i][j]);
        });
  }
  void exchange() const { exchange_ghosts(u_.lattice(), products_, 18, Reach::near, Faces::backward); }

  // For complete lines.
  std::array<double, 2> traces() const {
    using D = lanes_t<double, W>;
    const Lattice& lattice = u_.lattice();
    const Access<T, 18, W> products{products_.data()};
    const Slice slice(lattice, direction_);
    const int last = lattice.origin()[direction_] + lattice.block()[direction_] - 1;
    return sum_over_tiles<D, 2>(
        "traces of lines", lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
          if (slice.coordinate(tile, 0) != last) return;
          const D ends = slice.template at<D>(tile, slice.extent - 1);
          const auto loop = trace(load(products, tile));
          out[0].add(ends * convert<double>(loop.re));
          out[1].add(ends * convert<double>(loop.im));
        });
  }

 private:
  const GaugeField<T, W>& u_;
  int direction_;
  FieldView<T* [18], FieldLayout<W>> products_;
};

}  // namespace

// Each loop is multiplied starting from its site with coordinate 0, so that the bits do not depend on how lanes and
// ranks cut the lattice. A tile whose first lane is in that slice may have lanes in others, which are left out of the
// sum.
template <class T, int W>
std::complex<double> polyakov_loop(const GaugeField<T, W>& u, int direction) {
  using D = lanes_t<double, W>;
  if (direction < 0 || direction > 3) fail_input("Polyakov loop in direction {}; directions are 0 to 3", direction);
  const Lattice& lattice = u.lattice();
  const int extent = lattice.size(direction);
  const std::int64_t loops = lattice.volume() / extent;
  const double norm = 3.0 * double(loops);
  const double products = double(lattice.local_volume()) / extent * (extent - 1);
  const Kernel kernel{"Polyakov loop", bytes_of(u) / 4, products * product_flops, is_single<T>};
  if (lattice.ghost_directions()[direction] != 0) {
    const Lines<T, W> lines(u, direction);
    const int blocks = extent / lattice.block()[direction];
    for (int n = 0; n < blocks; ++n) {
      if (n > 0) lines.exchange();
      lines.walk(kernel);
    }
    const auto sums = lines.traces();
    return {sums[0] / norm, sums[1] / norm};
  }
  const auto links = u.access();
  const Slice slice(lattice, direction);
  const auto sums = sum_over_tiles<D, 2>(
      kernel, lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        if (slice.coordinate(tile, 0) != 0) return;
        const D in_slice = slice.template at<D>(tile, 0);
        const auto loop = trace(straight_line(links, tile, direction, extent));
        out[0].add(in_slice * convert<double>(loop.re));
        out[1].add(in_slice * convert<double>(loop.im));
      });
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

#define TRELLIS_INSTANTIATE(T, W)                                                  \
  template std::complex<double> polyakov_loop<T, W>(const GaugeField<T, W>&, int); \
  template double link_trace<T, W>(const GaugeField<T, W>&);                       \
  template double unitarity_violation<T, W>(const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
