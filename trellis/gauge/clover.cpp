// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/clover.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/clover_kernel.hpp"
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
        const Algebra<S> xy = field_strength(links, tile, 0, 1), zt = field_strength(links, tile, 2, 3);
        const Algebra<S> xz = field_strength(links, tile, 0, 2), yt = field_strength(links, tile, 1, 3);
        const Algebra<S> yz = field_strength(links, tile, 1, 2), xt = field_strength(links, tile, 0, 3);
        out[0].add(convert<double>(norm(xy) + norm(xz) + norm(yz)));
        out[1].add(convert<double>(norm(xt) + norm(yt) + norm(zt)));
        out[2].add(convert<double>(charge_density(xy, xz, xt, yz, yt, zt)));
      });
  // tr F G = 1/2 F^a G^a
  const double volume = double(u.lattice().volume());
  CloverObservables o;
  o.energy_spatial = 0.5 * sums[0] / volume;
  o.energy_temporal = 0.5 * sums[1] / volume;
  o.energy_density = o.energy_spatial + o.energy_temporal;
  o.topological_charge = charge_of_density_sum(sums[2]);
  return o;
}

#define TRELLIS_INSTANTIATE(W) template CloverObservables clover_observables<double, W>(const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
