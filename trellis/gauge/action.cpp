// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/action.hpp"

#include <utility>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/gauge/plaquette_force_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

template <class T, int W>
double sites(const GaugeField<T, W>& u) {
  return double(u.lattice().local_volume());
}

// The loops of a site: two products and a trace of 35 flops per plaquette, four and a trace per rectangle.
double density_flops(const LoopWeights& weights) {
  return 6 * (2 * product_flops + 35) + (weights.rectangle != 0 ? 12 * (4 * product_flops + 35) : 0);
}

// Rectangles reach two steps away, where code that changes links does not update ghosts.
template <class T, int W>
void exchange_for_rectangles(const LoopWeights& weights, const GaugeField<T, W>& u) {
  if (weights.rectangle != 0) u.exchange(Reach::two_steps);
}

// sum over planes of weight (1 - Re tr / 3), the loops that start at the tile's sites.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> action_density(const LoopWeights& weights, const GaugeAccess<T, W>& u, int tile) {
  using S = lanes_t<T, W>;
  const S third = S(T(1.0 / 3)), one = S(T(1));
  S plaquettes = S(T(0)), rectangles = S(T(0));
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      plaquettes = plaquettes + negated_fma(third, plaquette_trace(u, tile, mu, nu), one);
      if (weights.rectangle != 0) {
        rectangles = rectangles + negated_fma(third, rectangle_trace(u, tile, mu, nu), one);
        rectangles = rectangles + negated_fma(third, rectangle_trace(u, tile, nu, mu), one);
      }
    }
  return fma(S(T(weights.rectangle)), rectangles, S(T(weights.plaquette)) * plaquettes);
}

// sum of 1 - Re tr / 3 over the parallelograms around the tile's sites. They have a kernel of their own, so that the
// one for the other loops, which most actions have, needs no more registers.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> parallelogram_density(const GaugeAccess<T, W>& u, int tile) {
  using S = lanes_t<T, W>;
  return negated_fma(S(T(1.0 / 3)), parallelogram_traces(u, tile), S(T(16)));
}

}  // namespace

template <class T, int W>
double action(const LoopWeights& weights, const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  exchange_for_rectangles(weights, u);
  const auto links = u.access();
  const Kernel kernel{"gauge action", bytes_of(u), sites(u) * density_flops(weights), is_single<T>};
  const double planar = sum_over_tiles<D, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        sums[0].add(convert<double>(action_density(weights, links, tile)));
      })[0];
  if (weights.parallelogram == 0) return planar;
  const Kernel others{"action of parallelograms", bytes_of(u), sites(u) * parallelogram_flops, is_single<T>};
  const double sum = sum_over_tiles<D, 1>(
      others, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        sums[0].add(convert<double>(parallelogram_density(links, tile)));
      })[0];
  return planar + weights.parallelogram * sum;
}

template <class T, int W>
double action_difference(const LoopWeights& weights, const GaugeField<T, W>& after, const GaugeField<T, W>& before) {
  using D = lanes_t<double, W>;
  exchange_for_rectangles(weights, after);
  exchange_for_rectangles(weights, before);
  const auto a = after.access(), b = before.access();
  const Kernel kernel{"gauge action difference", bytes_of(after, before), sites(after) * 2 * density_flops(weights),
                      is_single<T>};
  const double planar = sum_over_tiles<D, 1>(
      kernel, after.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        sums[0].add(convert<double>(action_density(weights, a, tile)) -
                    convert<double>(action_density(weights, b, tile)));
      })[0];
  if (weights.parallelogram == 0) return planar;
  const Kernel others{"action difference of parallelograms", bytes_of(after, before),
                      sites(after) * 2 * parallelogram_flops, is_single<T>};
  const double sum = sum_over_tiles<D, 1>(
      others, after.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        sums[0].add(convert<double>(parallelogram_density(a, tile)) - convert<double>(parallelogram_density(b, tile)));
      })[0];
  return planar + weights.parallelogram * sum;
}

namespace {
template <class T, int W>
void add_plaquette_force(double weight, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p,
                         const TileSet& tiles) {
  const Kernel kernel{"gauge force", bytes_of(u, p, p), sites(u) * 46 * product_flops, is_single<T>};
  for_joined_parts(kernel, u.lattice(), tiles, AddPlaquetteForces<T, W>(weight, u, step, p, Start::from_momenta));
}
}  // namespace

template <class T, int W>
void set_plaquette_force(const char* name, double weight, const GaugeField<T, W>& u, double step,
                         const AlgebraField<T, W>& p, const TileSet& tiles) {
  const Kernel kernel{name, bytes_of(u, p), sites(u) * 46 * product_flops, is_single<T>};
  for_joined_parts(kernel, u.lattice(), tiles, AddPlaquetteForces<T, W>(weight, u, step, p, Start::from_zero));
}

template <class T, int W>
void add_force(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p,
               LoopForceWork<T, W>& work, ExchangeUnderWay ghosts) {
  if (weights.rectangle != 0) {
    work.rectangles(weights, u, step, p, std::move(ghosts));
  } else {
    const TilesApart tiles = ghosts.is_under_way() ? tiles_apart(u.lattice()) : tiles_together(u.lattice());
    add_plaquette_force(weights.plaquette, u, step, p, tiles.inside);
    ghosts.finish();
    add_plaquette_force(weights.plaquette, u, step, p, tiles.surface);
  }
  if (weights.parallelogram != 0) work.parallelograms(weights.parallelogram, u, step, p);
}

template <class T, int W>
void add_force(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) {
  LoopForceWork<T, W> work;
  add_force(weights, u, step, p, work);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                \
  template double action<T, W>(const LoopWeights&, const GaugeField<T, W>&);                                     \
  template double action_difference<T, W>(const LoopWeights&, const GaugeField<T, W>&, const GaugeField<T, W>&); \
  template void add_force<T, W>(const LoopWeights&, const GaugeField<T, W>&, double, const AlgebraField<T, W>&,  \
                                LoopForceWork<T, W>&, ExchangeUnderWay);                                         \
  template void add_force<T, W>(const LoopWeights&, const GaugeField<T, W>&, double, const AlgebraField<T, W>&); \
  template void set_plaquette_force<T, W>(const char*, double, const GaugeField<T, W>&, double,                  \
                                          const AlgebraField<T, W>&, const TileSet&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
