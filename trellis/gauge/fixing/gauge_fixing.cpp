// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/fixing/gauge_fixing.hpp"

#include "trellis/core/base/plural.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/gauge/fixing/gauge_fixing_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

constexpr int checked_every = 10;

constexpr int directions_of(Gauge gauge) { return gauge == Gauge::landau ? 4 : 3; }

// Hops of Coulomb gauge stay in a time slice: six, in the order of nearest_neighbours.
constexpr HopPattern spatial_neighbours() {
  HopPattern pattern;
  for (const int step : {0, 1, 2, 4, 5, 6}) pattern.hops[std::size_t(pattern.count++)] = {step, 1};
  return pattern;
}

// The links of some directions are each read once for a parity, and so are the matrices at the other parity's sites.
template <class T, int W>
double bytes_read(int directions, const GaugeField<T, W>& u, const GaugeTransformation<T, W>& g) {
  return bytes_of(u) * directions / 4 + bytes_of(g) / 2;
}

template <int Directions, class T, int W>
void relax_parity(int parity, double w, const GaugeField<T, W>& u, const GaugeTransformation<T, W>& g) {
  const Lattice& lattice = u.lattice();
  const auto links = u.access();
  const auto rotation = g.access();
  const int first = lattice.first_tile(parity), last = first + lattice.tiles() / 2 - 1;
  const Kernel kernel{"gauge fixing", bytes_read(Directions, u, g) + bytes_of(g),
                      double(lattice.local_parity_volume()) * ((2 * Directions + 1) * product_flops + 320),
                      is_single<T>};
  const HaloPart part = g.halo_part(1 - parity);
  for_each_half_tile_of_stencil(
      kernel, {&part, 1}, lattice, parity,
      TRELLIS_KERNEL(int half_tile) {
        const int tile = first + half_tile;
        const auto here = rotation.at(tile);
        const auto m =
            fixing_detail::links_at_site<Directions>(links, rotation, here, tile, tile < last ? tile + 1 : last);
        rotation.set(tile, fixing_detail::relaxed(here, m, w));
      },
      Directions == 4 ? nearest_neighbours : spatial_neighbours());
}

// What a boundary in time leaves.
struct PlacesToFix {
  int first, last;      // slices whose sites are transformed
  double sites, links;  // how many of these sites, and links that exist in the directions of the gauge
  double ones;          // links that do not exist but are stored as 1, where g is 1
};

PlacesToFix places_to_fix(const Boundary& boundary, int directions, const Coordinate& size) {
  const double slice = double(size[0]) * size[1] * size[2];
  const int end = boundary.last_slice(size), fixed = boundary.kind == BoundaryKind::schroedinger_functional ? 1 : 0;
  const double in_time = directions == 4 ? slice * (boundary.is_periodic() ? size[3] : end) : 0;
  const double links = 3 * slice * (end + 1) + in_time;
  return {fixed, end - fixed, slice * (end + 1 - 2 * fixed), links, fixed * (directions * slice * size[3] - links)};
}

// g = 1 on slices whose links are fixed, and beyond.
template <class T, int W>
void hold_fixed_slices(const Boundary& boundary, const GaugeTransformation<T, W>& g) {
  using S = lanes_t<T, W>;
  if (boundary.kind != BoundaryKind::schroedinger_functional) return;
  const TimeSlice free(g.lattice(), 1, boundary.extent - 1);
  const auto rotation = g.access();
  for_each_tile(
      "transformations held at boundaries", g.lattice(), TRELLIS_KERNEL(int tile) {
        const mask_t<S> moves = free.template lanes_of<S>(tile);
        if (all(moves)) return;
        Matrix<S> m = rotation.at(tile);
        const Matrix<S> one = Matrix<S>::one();
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) m.e[i][j] = select(moves, m.e[i][j], one.e[i][j]);
        rotation.set(tile, m);
      });
}

template <int Directions, class T, int W>
GaugeCondition condition(const Boundary& boundary, const GaugeTransformation<T, W>& g, const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  const Lattice& lattice = u.lattice();
  const PlacesToFix places = places_to_fix(boundary, Directions, lattice.size());
  const TimeSlice transformed(lattice, places.first, places.last);
  const auto links = u.access();
  const auto rotation = g.access();
  const Kernel kernel{"gauge condition", bytes_of(u) * Directions / 4 + bytes_of(g),
                      double(lattice.local_volume()) * ((2 * Directions + 1) * product_flops + 40), is_single<T>};
  const auto sums = sum_over_tiles<D, 2>(
      kernel, lattice, TRELLIS_KERNEL(int tile, int following, ExactAccumulator<D>* out) {
        const auto m = fixing_detail::links_at_site<Directions>(links, rotation, rotation.at(tile), tile, following);
        out[0].add(convert<double>(trace(m).re));
        // Delta = sum_a d_a T_a with d = 2 Im tr(T_a m); tr Delta^2 = sum_a d_a^2 / 2
        const D residual = D(2.0) * convert<double>(norm(imaginary_trace(m)));
        out[1].add(select(transformed.template lanes_of<D>(tile), residual, D(0.0)));
      });
  // Each link is in m at both of its ends.
  return {(sums[0] - 6 * places.ones) / (6 * places.links), sums[1] / (3 * places.sites)};
}

void require_valid(const GaugeFixingParameters& p) {
  if (!(p.residual > 0)) fail_input("gauge fixing: residual {}; it must be above 0", p.residual);
  if (!(p.overrelaxation >= 1 && p.overrelaxation < 2))
    fail_input("gauge fixing: overrelaxation {}; it must be from 1 to less than 2", p.overrelaxation);
  if (p.max_iterations < 0) fail_input("gauge fixing: {} iterations; there cannot be fewer than 0", p.max_iterations);
}

}  // namespace

template <class T, int W>
GaugeCondition gauge_condition(Gauge gauge, const GaugeTransformation<T, W>& g, const GaugeField<T, W>& u,
                               const Boundary& boundary) {
  return directions_of(gauge) == 4 ? condition<4>(boundary, g, u) : condition<3>(boundary, g, u);
}

template <class T, int W>
GaugeCondition gauge_condition(Gauge gauge, const GaugeField<T, W>& u, const Boundary& boundary) {
  return gauge_condition(gauge, GaugeTransformation<T, W>(u.lattice()), u, boundary);
}

template <class T, int W>
void relax_gauge(Gauge gauge, double w, const GaugeField<T, W>& u, const GaugeTransformation<T, W>& g,
                 const Boundary& boundary) {
  for (const int parity : {0, 1}) {
    directions_of(gauge) == 4 ? relax_parity<4>(parity, w, u, g) : relax_parity<3>(parity, w, u, g);
    hold_fixed_slices(boundary, g);
  }
}

template <class T, int W>
GaugeFixingReport fix_gauge(const GaugeFixingParameters& parameters, const GaugeField<T, W>& u,
                            const Boundary& boundary) {
  require_valid(parameters);
  const auto& [gauge, residual, w, max_iterations] = parameters;
  const GaugeTransformation<T, W> g(u.lattice());
  GaugeFixingReport report;
  for (int& n = report.iterations;; ++n) {
    if (n % checked_every == 0 || n == max_iterations) {
      g.exchange();
      report.reached = gauge_condition(gauge, g, u, boundary);
      if (report.reached.residual <= residual) break;
      if (n == max_iterations)
        fail("gauge fixing: {} left a residual of {:.3g}; {:.3g} was requested", plural(n, "iteration"),
             report.reached.residual, residual);
    }
    relax_gauge(gauge, w, u, g, boundary);
  }
  transform_links(g, u, boundary);
  report.reached = gauge_condition(gauge, u, boundary);
  return report;
}

#define TRELLIS_INSTANTIATE(W)                                                                                        \
  template GaugeCondition gauge_condition(Gauge, const GaugeField<double, W>&, const Boundary&);                      \
  template GaugeCondition gauge_condition(Gauge, const GaugeTransformation<double, W>&, const GaugeField<double, W>&, \
                                          const Boundary&);                                                           \
  template void relax_gauge(Gauge, double, const GaugeField<double, W>&, const GaugeTransformation<double, W>&,       \
                            const Boundary&);                                                                         \
  template GaugeFixingReport fix_gauge(const GaugeFixingParameters&, const GaugeField<double, W>&, const Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
