// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/cooling.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/active_links.hpp"
#include "trellis/gauge/boundary/sweep_staples.hpp"
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

// The links of one direction and parity that are variables.
template <class T, int W>
void cool_with_boundary(const Kernel& kernel, const Boundary& boundary, int mu, int parity, const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  const BoundaryOfSweep staples({1, 0, 0}, boundary, u.lattice(), mu);
  const ActiveLinks active(boundary, u.lattice());
  const auto links = u.access();
  for_each_tile(
      kernel, u.lattice(), parity, TRELLIS_KERNEL(int tile) {
        const mask_t<S> changes = active.template lanes_of<S>(tile, mu);
        if (!any(changes)) return;
        Matrix<S> v = plaquette_staple(links, tile, mu);
        add_boundary_staples(staples, links, tile, mu, v);
        const Matrix<S> before = links.link(tile, mu);
        Matrix<S> link = cooled(before, v);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) link.e[i][j] = select(changes, link.e[i][j], before.e[i][j]);
        links.set_link(tile, mu, link);
      });
}

}  // namespace

template <class T, int W>
void cooling_step(const GaugeField<T, W>& u, Boundary boundary) {
  boundary.c_g = 1;
  const auto links = u.access();
  // For one direction and parity: all links are read, an eighth is written.
  const Kernel kernel{"cooling", 1.125 * bytes_of(u),
                      double(u.lattice().local_volume()) / 8 * (52 * product_flops + 2000), is_single<T>};
  for (int mu = 0; mu < 4; ++mu)
    for (const int parity : {0, 1}) {
      if (boundary.is_periodic())
        for_each_tile(
            kernel, u.lattice(), parity, TRELLIS_KERNEL(int tile) {
              links.set_link(tile, mu, cooled(links.link(tile, mu), plaquette_staple(links, tile, mu)));
            });
      else
        cool_with_boundary(kernel, boundary, mu, parity, u);
      exchange_direction(u, mu, parity == 0 ? Reach::near : Reach::corners);
    }
}

#define TRELLIS_INSTANTIATE(W) template void cooling_step<double, W>(const GaugeField<double, W>&, Boundary);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
