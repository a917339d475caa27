// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/time_slices.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/complex.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/hadrons/axis_factors.hpp"

namespace trellis::measure {

namespace {

// A part of the tiles whose first lanes are at the same time: `count` in the list, starting with `first`.
struct Part {
  int slice, first, count;
};
constexpr int most_in_part = 256;

// Tiles by the time of their first lane, counted from the rank's first time, in parts: a thread sums one part. Lanes
// are blocks of the lattice, so that lane l is `behind[l]` blocks later on all tiles.
struct Slices {
  FieldView<int*> tiles;
  HostView<Part*> host_parts;
  FieldView<Part*> parts;
  int length;  // temporal extent of a block
  std::vector<int> behind;

  explicit Slices(const Lattice& lattice) : length(lattice.block()[3]) {
    const TileSites sites = lattice.host_sites();
    std::vector<std::vector<int>> of_slice(static_cast<std::size_t>(length));
    const auto time = [&](int tile, int lane) {
      return lattice.coordinate(sites(tile)[lane])[3] - lattice.origin()[3];
    };
    for (int n = 0; n < lattice.tiles(); ++n) {
      const int tile = lattice.own_tile(n);
      of_slice[std::size_t(time(tile, 0))].push_back(tile);
    }
    for (int lane = 0; lane < lattice.lanes(); ++lane) behind.push_back(time(0, lane) / length);

    const HostView<int*> list("tiles by time", lattice.tiles());
    std::vector<Part> all;
    int next = 0;
    for (int slice = 0; slice < length; ++slice) {
      const auto& own = of_slice[std::size_t(slice)];
      const int size = static_cast<int>(own.size());
      std::copy(own.begin(), own.end(), list.data() + next);
      for (int first = 0; first < size; first += most_in_part)
        all.push_back({slice, next + first, std::min(most_in_part, size - first)});
      next += size;
    }
    host_parts = HostView<Part*>("parts of time slices", static_cast<Index>(all.size()));
    std::copy(all.begin(), all.end(), host_parts.data());
    tiles = in_field_memory(list);
    parts = in_field_memory(host_parts);
  }
};

// exp(-i q_mu (x_mu - origin_mu)) for each x_mu, in time with the boundary phase: x first, t last.
HostView<complex<double>*> phases_of(const Coordinate& size, const SliceParameters& p, const Momentum& n) {
  const HostView<complex<double>*> table("phases of a momentum", size[0] + size[1] + size[2] + size[3]);
  complex<double>* next = table.data();
  const auto add = [&](double angle_over_pi) {
    const auto phase = phase_of(angle_over_pi);
    *next++ = {phase.real(), phase.imag()};
  };
  for (int i = 0; i < 3; ++i)
    for (int x = 0; x < size[i]; ++x) add(-(2 * n[i] + p.winding_over_pi[i]) * (x - p.origin[i]) / size[i]);
  for (int t = 0; t < size[3]; ++t) add(t < p.origin[3] ? p.winding_over_pi[3] : 0);
  return table;
}

// The phases of all sites: [tile][re, im][lane].
template <int W>
void fill_phases(const Lattice& lattice, const complex<double>* table, const SiteNumbers<W>& phases) {
  using S = lanes_t<double, W>;
  const auto out = phases.access();
  const auto sites = lattice.tile_sites();
  const AxisFactors factors(lattice, table);
  for_each_tile(
      {"phases", 16.0 * double(lattice.local_volume())}, lattice, TRELLIS_KERNEL(int tile) {
        const complex<S> phase = factors.of<S>(sites(tile));
        store_lanes(out.at(tile), phase.re);
        store_lanes(out.at(tile) + W, phase.im);
      });
}

struct ComplexSum {
  ExactSum re, im;
};

// Sums for one momentum: [part][number][lane].
template <int W>
void add_parts(const Kernel& kernel, const Slices& slices, const SiteNumbers<W>& f, const SiteNumbers<W>& phases,
               const FieldView<ComplexSum*>& sums) {
  using S = lanes_t<double, W>;
  const auto numbers = f.access(), factors = phases.access();
  const Part* parts = slices.parts.data();
  const int* tiles = slices.tiles.data();
  ComplexSum* out = sums.data();
  const TilePolicy<FieldSpace> policy(static_cast<int>(slices.parts.size()), W, f.count());
  parallel_for(
      kernel, policy, TRELLIS_KERNEL(int n, int number) {
        const Part part = parts[n];
        // Lane by lane: which bits a sum keeps depends on its largest term, and lanes may belong to different times.
        for (const int l : own_lanes<S>()) {
          ExactAccumulator<double> re, im;
          for (int k = 0; k < part.count; ++k) {
            const int tile = tiles[part.first + k];
            const double value = lane(load_lanes<S>(numbers.at(tile) + number * W), l);
            const double* phase = factors.at(tile);
            re.add(value * lane(load_lanes<S>(phase), l));
            im.add(value * lane(load_lanes<S>(phase + W), l));
          }
          ComplexSum& sum = out[(std::int64_t(n) * numbers.count + number) * W + l];
          sum = {};
          sum.re.add(re);
          sum.im.add(im);
        }
      });
}

}  // namespace

std::vector<Coordinate> spread_in_time(const std::vector<Coordinate>& positions, int count, int times) {
  std::vector<Coordinate> all;
  for (const auto& position : positions)
    for (int k = 0; k < count; ++k) {
      Coordinate x = position;
      x[3] = (x[3] + k * (times / count)) % times;
      all.push_back(x);
    }
  return all;
}

int times_after(const std::vector<Coordinate>& sources, const dirac::QuarkSlices& slices, int times) {
  if (!slices.is_periodic())
    for (const auto& x : sources) times = std::min(times, slices.last - x[3] + 1);
  return times;
}

std::vector<std::size_t> sources_at(int t, const std::vector<Coordinate>& sources, const dirac::QuarkSlices& slices,
                                    int times) {
  std::vector<std::size_t> all(sources.size()), after, before;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (slices.is_periodic()) return all;
  for (const std::size_t n : all) {
    const int slice = sources[n][3] + t;
    if (slices.contain(slice))
      after.push_back(n);
    else if (slices.contain(slice % times))
      before.push_back(n);
  }
  return !after.empty() ? after : !before.empty() ? before : all;
}

void require_on_lattice(const std::string& what, const std::vector<Coordinate>& positions, int count,
                        const std::vector<Momentum>& momenta, const Coordinate& size) {
  for (const auto& x : positions)
    for (int mu = 0; mu < 4; ++mu)
      if (x[mu] < 0 || x[mu] >= size[mu])
        fail_input("{}: the source ({}) is not on the lattice {}", what, joined(x, ", "), to_string(size));
  if (count < 1 || size[3] % count != 0)
    fail_input("{}: {} sources in time; expected a divisor of the {} time slices", what, count, size[3]);
  for (const auto& n : momenta)
    for (int i = 0; i < 3; ++i)
      if (2 * std::abs(n[i]) > size[i])
        fail_input("{}: the momentum ({}) is beyond the Brillouin zone of the lattice {}", what, joined(n, ", "),
                   to_string(size));
}

void require_on_slices(const std::string& what, const std::vector<Coordinate>& sources,
                       const dirac::QuarkSlices& slices, const std::string& quarks) {
  for (const auto& x : sources)
    if (!slices.contain(x[3]))
      fail_input("{}{}a source at t = {}; with boundaries in time {} are on the slices {} to {} only", what,
                 what.empty() ? "" : ": ", x[3], quarks, slices.first, slices.last);
}

void require_time_on_slices(const std::string& what, int time, const std::vector<Coordinate>& sources,
                            const dirac::QuarkSlices& slices, const std::string& quarks, const Coordinate& size) {
  if (time < 0 || time >= size[3]) fail_input("{}: the time {} is not one of {} time slices", what, time, size[3]);
  for (const auto& x : sources)
    if (!slices.contain(x[3] + time))
      fail_input("{} is at t = {} if the source is at {}; with boundaries in time {} are on the slices {} to {} only",
                 what, x[3] + time, x[3], quarks, slices.first, slices.last);
}

template <int W>
SiteNumbers<W>::SiteNumbers(const Lattice& lattice, int count)
    : lattice_(lattice), count_(count), data_("numbers on sites", lattice.places(), count) {
  if (lattice.lanes() != W) fail("numbers on sites: {} lanes, their lattice {}", W, lattice.lanes());
  if (count < 1) fail("numbers on sites: {} per site; at least 1", count);
}

template <int W>
void SiteNumbers<W>::set(const Coordinate& x, int number, double value) const {
  const std::int64_t site = lattice_.index(x);
  write_single(data_, (site / W * count_ + number) * W + site % W, value);
}

template <int W>
std::vector<std::complex<double>> time_slice_sums(const SiteNumbers<W>& f, const SliceParameters& parameters) {
  const Lattice& lattice = f.lattice();
  const int times = lattice.size(3), count = f.count(), momenta = static_cast<int>(parameters.momenta.size());
  const Slices slices(lattice);
  const Index parts = slices.host_parts.size();
  const SiteNumbers<W> phases(lattice, 2);
  const FieldView<ComplexSum*> sums("sums of parts", parts * count * W);
  std::vector<std::complex<double>> result(std::size_t(count) * momenta * times);
  const double numbers = double(lattice.local_volume()) * count;
  const Kernel kernel{"sums over time slices", 8 * numbers + 16 * double(lattice.local_volume()), 42 * numbers};
  for (int momentum = 0; momentum < momenta; ++momentum) {
    const auto table =
        in_field_memory(phases_of(lattice.size(), parameters, parameters.momenta[std::size_t(momentum)]));
    fill_phases(lattice, table.data(), phases);
    add_parts(kernel, slices, f, phases, sums);
    if (in_dry_run()) continue;  // they are no sums
    const auto found = create_mirror_view_and_copy(HostSpace{}, sums);
    std::vector<ExactSum> total(2 * std::size_t(count) * times);
    for (Index n = 0; n < parts; ++n)
      for (int number = 0; number < count; ++number)
        for (int lane = 0; lane < W; ++lane) {
          const int t =
              lattice.origin()[3] + slices.behind[std::size_t(lane)] * slices.length + slices.host_parts(n).slice;
          ExactSum* here = &total[2 * std::size_t(number * times + (t - parameters.origin[3] + times) % times)];
          const ComplexSum& part = found((n * count + number) * W + lane);
          here[0].add(part.re);
          here[1].add(part.im);
        }
    lattice.ranks().add(kernel.name, total);
    for (int number = 0; number < count; ++number)
      for (int t = 0; t < times; ++t) {
        const ExactSum* sum = &total[2 * std::size_t(number * times + t)];
        result[std::size_t((number * momenta + momentum) * times + t)] = {sum[0].value(), sum[1].value()};
      }
  }
  return result;
}

#define TRELLIS_INSTANTIATE(W)   \
  template class SiteNumbers<W>; \
  template std::vector<std::complex<double>> time_slice_sums(const SiteNumbers<W>&, const SliceParameters&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
