// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/time_slices.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

namespace {

// Tiles by the time of their first lane. Lanes are blocks of the lattice, so that lane l is `behind[l]` blocks later
// for all tiles.
template <int W>
struct Slices {
  std::vector<std::vector<int>> tiles;
  int blocks;  // of the lattice in time
  int behind[W];

  explicit Slices(const Lattice& lattice)
      : tiles(std::size_t(lattice.size(3) / lattice.lane_grid()[3])), blocks(lattice.lane_grid()[3]) {
    std::int64_t sites[W];
    for (int tile = 0; tile < lattice.tiles(); ++tile) {
      lattice.sites(tile, sites);
      tiles[std::size_t(lattice.coordinate(sites[0])[3])].push_back(tile);
    }
    lattice.sites(0, sites);
    for (int lane = 0; lane < W; ++lane)
      behind[lane] = lattice.coordinate(sites[lane])[3] / static_cast<int>(tiles.size());
  }
};

// exp(-i q_mu (x_mu - origin_mu)) of each x_mu, in time the phase of what has gone around.
struct Phases {
  std::array<std::vector<std::complex<double>>, 4> table;

  Phases(const Coordinate& size, const SliceParameters& p, const Momentum& n) {
    for (int i = 0; i < 3; ++i)
      for (int x = 0; x < size[i]; ++x)
        table[i].push_back(phase_of(-(2 * n[i] + p.winding_over_pi[i]) * (x - p.origin[i]) / size[i]));
    for (int t = 0; t < size[3]; ++t) table[3].push_back(phase_of(t < p.origin[3] ? p.winding_over_pi[3] : 0));
  }
  std::complex<double> operator()(const Coordinate& x) const {
    return (table[0][x[0]] * table[1][x[1]]) * (table[2][x[2]] * table[3][x[3]]);
  }
};

template <int W>
struct Sums {
  using S = lanes_t<double, W>;
  ExactAccumulator<S> re, im;
};

}  // namespace

template <int W>
SiteNumbers<W>::SiteNumbers(const Lattice& lattice, int count)
    : lattice_(lattice), count_(count), data_("numbers on sites", lattice.volume() * count) {
  if (lattice.lanes() != W) fail("numbers on sites: {} lanes, their lattice {}", W, lattice.lanes());
  if (count < 1) fail("numbers on sites: {} a site; at least 1", count);
}

template <int W>
std::vector<std::complex<double>> time_slice_sums(const SiteNumbers<W>& f, const SliceParameters& parameters) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = f.lattice();
  const int times = lattice.size(3), count = f.count(), momenta = static_cast<int>(parameters.momenta.size());
  const Slices<W> slices(lattice);
  const int block = static_cast<int>(slices.tiles.size());
  std::vector<Phases> phases;
  for (const auto& n : parameters.momenta) phases.emplace_back(lattice.size(), parameters, n);
  std::vector<std::complex<double>> result(std::size_t(count) * momenta * times);
  auto* out = result.data();

  const double numbers = double(lattice.volume()) * count * momenta;
  const Kernel kernel{"sums over time slices", 8 * numbers, 42 * numbers};
  parallel_for(kernel, RangePolicy<FieldSpace>(0, Index(block) * momenta), [=, &slices, &phases, &lattice](Index item) {
    const int slice = static_cast<int>(item) / momenta, momentum = static_cast<int>(item) % momenta;
    std::vector<Sums<W>> sums(std::size_t(slices.blocks) * count);
    for (const int tile : slices.tiles[std::size_t(slice)]) {
      std::int64_t sites[W];
      lattice.sites(tile, sites);
      // A lane counts in its own slice alone.
      for (int b = 0; b < slices.blocks; ++b) {
        S re(0.0), im(0.0);
        for (int lane = 0; lane < W; ++lane) {
          if (slices.behind[lane] != b) continue;
          const auto phase = phases[std::size_t(momentum)](lattice.coordinate(sites[lane]));
          set_lane(re, lane, phase.real());
          set_lane(im, lane, phase.imag());
        }
        for (int n = 0; n < count; ++n) {
          const S value = load_lanes<S>(f.at(tile) + n * W);
          sums[std::size_t(b * count + n)].re.add(value * re);
          sums[std::size_t(b * count + n)].im.add(value * im);
        }
      }
    }
    for (int b = 0; b < slices.blocks; ++b)
      for (int n = 0; n < count; ++n) {
        ExactSum re, im;
        re.add(sums[std::size_t(b * count + n)].re);
        im.add(sums[std::size_t(b * count + n)].im);
        const int t = (b * block + slice - parameters.origin[3] + times) % times;
        out[(std::int64_t(n) * momenta + momentum) * times + t] = {re.value(), im.value()};
      }
  });
  return result;
}

#define TRELLIS_INSTANTIATE(W)   \
  template class SiteNumbers<W>; \
  template std::vector<std::complex<double>> time_slice_sums(const SiteNumbers<W>&, const SliceParameters&);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::measure
