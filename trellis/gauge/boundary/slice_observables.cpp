// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/boundary/slice_observables.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/gauge/field_strength.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

// Sums over a slice: of a CloverDensity, and of 3 - Re tr P in space and in time.
struct SliceSums {
  double spatial, temporal, charge, plaquettes_in_space, plaquettes_in_time;
};

template <class T, int W>
SliceSums sums_of(const GaugeField<T, W>& u, int t) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const TimeSlice slice(u.lattice(), t);
  const auto links = u.access();
  const double part = 1.0 / u.lattice().size(3);
  const Kernel kernel{"time slice", part * bytes_of(u), part * double(u.lattice().local_volume()) * 72 * product_flops,
                      is_single<T>};
  const auto sums = sum_over_tiles<D, 5>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        const mask_t<S> here = slice.template lanes_of<S>(tile);
        if (!any(here)) return;
        const S zero = S(T(0)), three = S(T(3));
        const CloverDensity<S> density = clover_density(links, tile);
        out[0].add(convert<double>(select(here, density.spatial, zero)));
        out[1].add(convert<double>(select(here, density.temporal, zero)));
        out[2].add(convert<double>(select(here, density.charge, zero)));
        S space = zero, time = zero;
        for (int mu = 0; mu < 3; ++mu) {
          for (int nu = mu + 1; nu < 3; ++nu) space = space + (three - plaquette_trace(links, tile, mu, nu));
          time = time + (three - plaquette_trace(links, tile, mu, 3));
        }
        out[3].add(convert<double>(select(here, space, zero)));
        out[4].add(convert<double>(select(here, time, zero)));
      });
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

double slice_sites(const Coordinate& size) { return double(size[0]) * size[1] * size[2]; }

}  // namespace

template <class T, int W>
std::vector<SliceObservables> slice_observables(const Boundary& boundary, const GaugeField<T, W>& u) {
  const Coordinate& size = u.lattice().size();
  const int end = std::min(boundary.last_slice(size), size[3] - 1);  // memory is planned on shorter lattices
  const bool periodic = boundary.is_periodic();
  const double sites = slice_sites(size);
  std::vector<SliceObservables> slices(static_cast<std::size_t>(size[3]));
  for (int t = 0; t <= end; ++t) {
    const SliceSums sums = sums_of(u, t);
    const bool inside = periodic || (t > 0 && t < end);
    SliceObservables& here = slices[std::size_t(t)];
    if (inside) {
      // tr F G = 1/2 F^a G^a
      here.energy_spatial = 0.5 * sums.spatial / sites;
      here.energy_temporal = 0.5 * sums.temporal / sites;
      here.topological_charge = sums.charge * charge_of_density;
    }
    here.energy_plaquette += 2 * (inside ? 1 : 0.5) * sums.plaquettes_in_space / sites;
    if (!periodic && t == end) continue;
    here.energy_plaquette += sums.plaquettes_in_time / sites;
    slices[std::size_t((t + 1) % size[3])].energy_plaquette += sums.plaquettes_in_time / sites;
  }
  return slices;
}

CloverObservables clover_of(const std::vector<SliceObservables>& slices, const Boundary& boundary,
                            const Coordinate& size) {
  const int inside = boundary.is_periodic() ? size[3] : boundary.last_slice(size) - 1;
  CloverObservables o;
  for (const SliceObservables& slice : slices) {
    o.energy_spatial += slice.energy_spatial / inside;
    o.energy_temporal += slice.energy_temporal / inside;
    o.topological_charge += slice.topological_charge;
  }
  o.energy_density = o.energy_spatial + o.energy_temporal;
  return o;
}

namespace {

// The average of Re tr / 3 of `count` kinds of loops that start at sites of the slices first to last, from f(tile, n).
template <class T, int W, class Trace>
double average_from(int first, int last, int count, const GaugeField<T, W>& u, const Trace& trace) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const TimeSlice slices(u.lattice(), first, last);
  const double sum = sum_over_tiles<D, 1>(
      "loops of time slices", u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        const mask_t<S> here = slices.template lanes_of<S>(tile);
        if (!any(here)) return;
        for (int n = 0; n < count; ++n) out[0].add(convert<double>(select(here, trace(tile, n), S(T(0)))));
      })[0];
  return sum / (3 * count * slice_sites(u.lattice().size()) * (last - first + 1));
}

// Re tr of the n-th plaquette or rectangle in space or time: with rectangles first 1 step along t, or of the first
// orientation.
enum class Loop { plaquette, rectangle };
template <class T, int W>
struct LoopTrace {
  GaugeAccess<T, W> links;
  Loop loop;
  int mu[6], nu[6];
  TRELLIS_INLINE lanes_t<T, W> operator()(int tile, int n) const {
    return loop == Loop::plaquette ? plaquette_trace(links, tile, mu[n], nu[n])
                                   : rectangle_trace(links, tile, mu[n], nu[n]);
  }
};

// The sum over the parallelograms around a site that lie in space, or between its slice and the next one.
template <class T, int W>
struct ParallelogramTraces {
  GaugeAccess<T, W> links;
  bool in_time;
  TRELLIS_INLINE lanes_t<T, W> operator()(int tile, int) const {
    return parallelogram_traces_of_slice(links, tile, in_time);
  }
};

}  // namespace

template <class T, int W>
Plaquette plaquette(const Boundary& boundary, const GaugeField<T, W>& u) {
  if (boundary.is_periodic()) return plaquette(u);
  const int end = boundary.last_slice(u.lattice().size());
  Plaquette p;
  p.spatial = average_from(0, end, 3, u, LoopTrace<T, W>{u.access(), Loop::plaquette, {0, 0, 1}, {1, 2, 2}});
  p.temporal = average_from(0, end - 1, 3, u, LoopTrace<T, W>{u.access(), Loop::plaquette, {0, 1, 2}, {3, 3, 3}});
  p.average = ((end + 1) * p.spatial + end * p.temporal) / (2 * end + 1);
  return p;
}

template <class T, int W>
double rectangle(const Boundary& boundary, const GaugeField<T, W>& u) {
  if (boundary.is_periodic()) return rectangle(u);
  u.exchange(Reach::two_steps);
  const int end = boundary.last_slice(u.lattice().size());
  const auto average = [&](int last, int count, const LoopTrace<T, W>& trace) {
    return average_from(0, last, count, u, trace);
  };
  const double space = average(end, 6, {u.access(), Loop::rectangle, {0, 0, 1, 1, 2, 2}, {1, 2, 0, 2, 0, 1}});
  const double flat = average(end - 1, 3, {u.access(), Loop::rectangle, {0, 1, 2}, {3, 3, 3}});
  const double tall = average(end - 2, 3, {u.access(), Loop::rectangle, {3, 3, 3}, {0, 1, 2}});
  return (6 * (end + 1) * space + 3 * end * flat + 3 * (end - 1) * tall) / (12 * end + 3);
}

template <class T, int W>
double parallelogram(const Boundary& boundary, const GaugeField<T, W>& u) {
  if (boundary.is_periodic()) return parallelogram(u);
  const int end = boundary.last_slice(u.lattice().size());
  const double space = average_from(0, end, 1, u, ParallelogramTraces<T, W>{u.access(), false}),  // sums of 4 and 12
      time = average_from(0, end - 1, 1, u, ParallelogramTraces<T, W>{u.access(), true});
  return ((end + 1) * space + end * time) / (16 * end + 4);
}

#define TRELLIS_INSTANTIATE(W)                                                                                        \
  template std::vector<SliceObservables> slice_observables<double, W>(const Boundary&, const GaugeField<double, W>&); \
  template Plaquette plaquette<double, W>(const Boundary&, const GaugeField<double, W>&);                             \
  template double rectangle<double, W>(const Boundary&, const GaugeField<double, W>&);                                \
  template double parallelogram<double, W>(const Boundary&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
