// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/cooling.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/heatbath/heatbath_kernel.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/staple.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

template <class S>
TRELLIS_HOST_CALL Matrix<S> cooled(Matrix<S> u, const Matrix<S>& v) {
  lanes_t<double, lane_count<S>> length;
  Matrix<S> m = multiply_adjoint(u, v);
  for (int hit = 0; hit < 3 * subgroup_rounds; ++hit) {
    const int i = hit % 3 == 2 ? 1 : 0, j = hit % 3 == 0 ? 1 : 2;
    // Re tr(g U V^dagger) = r.g, largest for g along r.
    const auto g = heatbath_detail::subgroup_part(m, i, j, length);
    heatbath_detail::multiply_rows(g, i, j, u);
    heatbath_detail::multiply_rows(g, i, j, m);
  }
  return reunitarise(u);
}

}  // namespace

template <class T, int W>
void cooling_step(const GaugeField<T, W>& u) {
  const auto links = u.access();
  // For one direction and parity: all links are read, an eighth is written.
  const Kernel kernel{"cooling", 1.125 * bytes_of(u),
                      double(u.lattice().local_volume()) / 8 * (52 * product_flops + 2000), is_single<T>};
  for (int mu = 0; mu < 4; ++mu)
    for (const int parity : {0, 1}) {
      for_each_tile(
          kernel, u.lattice(), parity, TRELLIS_KERNEL(int tile) {
            links.set_link(tile, mu, cooled(links.link(tile, mu), plaquette_staple(links, tile, mu)));
          });
      exchange_direction(u, mu, parity == 0 ? Reach::near : Reach::corners);
    }
}

#define TRELLIS_INSTANTIATE(W) template void cooling_step<double, W>(const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
