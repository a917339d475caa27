// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/clover.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/field_strength.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
CloverObservables clover_observables(const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const auto links = u.access();
  // Six planes, ten products each.
  const Kernel kernel{"clover", bytes_of(u), double(u.lattice().local_volume()) * 60 * product_flops, is_single<T>};
  const auto sums = sum_over_tiles<D, 3>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        const CloverDensity<S> density = clover_density(links, tile);
        out[0].add(convert<double>(density.spatial));
        out[1].add(convert<double>(density.temporal));
        out[2].add(convert<double>(density.charge));
      });
  // tr F G = 1/2 F^a G^a
  const double volume = double(u.lattice().volume());
  CloverObservables o;
  o.energy_spatial = 0.5 * sums[0] / volume;
  o.energy_temporal = 0.5 * sums[1] / volume;
  o.energy_density = o.energy_spatial + o.energy_temporal;
  o.topological_charge = sums[2] * charge_of_density;
  return o;
}

#define TRELLIS_INSTANTIATE(W) template CloverObservables clover_observables<double, W>(const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
