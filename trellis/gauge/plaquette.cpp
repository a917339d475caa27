// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
Plaquette plaquette(const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  const auto links = u.access();
  const double flops = double(u.lattice().local_volume()) * 6 * (2 * product_flops + 35);
  const Kernel kernel{"plaquette", bytes_of(u), flops, is_single<T>};
  const auto sums = sum_over_tiles<D, 2>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, int following, ExactAccumulator<D>* out) {
        D spatial = D(0.0), temporal = D(0.0);
        int plane = 0;
        for (int mu = 0; mu < 4; ++mu)
          for (int nu = mu + 1; nu < 4; ++nu) {
            links.prefetch_stencil(following, plane++, 6, true);
            const D p = convert<double>(plaquette_trace(links, tile, mu, nu));
            if (nu == 3)
              temporal = temporal + p;
            else
              spatial = spatial + p;
          }
        out[0].add(spatial);
        out[1].add(temporal);
      });
  const double norm = 9.0 * double(u.lattice().volume());  // 3 planes, trace / 3
  return {(sums[0] + sums[1]) / (2 * norm), sums[0] / norm, sums[1] / norm};
}

#define TRELLIS_INSTANTIATE(T, W) template Plaquette plaquette<T, W>(const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
