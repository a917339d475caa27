// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/link_gradient.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
void add_derivative(const GaugeField<T, W>& derivative, const GaugeField<T, W>& gradient) {
  const auto d = derivative.access(), out = gradient.access();
  const Kernel kernel{"add derivative by links", bytes_of(derivative, gradient, gradient),
                      double(gradient.lattice().local_volume()) * 72, is_single<T>};
  for_each_link(
      kernel, gradient.lattice(), TRELLIS_KERNEL(int tile, int following, int mu) {
        d.prefetch(following, mu, 4);
        out.prefetch(following, mu, 4);
        out.set_link(tile, mu, out.link(tile, mu) + adjoint(d.link(tile, mu)));
      });
}

template <class T, int W>
void add_force_of_gradient(const GaugeField<T, W>& u, const GaugeField<T, W>& gradient, double step,
                           const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), by = gradient.access();
  const auto momenta = p.access();
  const T scale = T(step);
  const Kernel kernel{"add force of improved links", bytes_of(u, gradient, p, p),
                      double(u.lattice().local_volume()) * 4 * (product_flops + 16), is_single<T>};
  for_each_link(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, int following, int mu) {
        links.prefetch(following, mu, 4);
        by.prefetch(following, mu, 4);
        momenta.prefetch(following, mu, 4);
        const auto force = imaginary_trace(multiply_adjoint(links.link(tile, mu), by.link(tile, mu)));
        momenta.set(tile, mu, fma(S(scale), force, momenta.at(tile, mu)));
      });
}

#define TRELLIS_INSTANTIATE(T, W)                                                               \
  template void add_derivative(const GaugeField<T, W>&, const GaugeField<T, W>&);               \
  template void add_force_of_gradient(const GaugeField<T, W>&, const GaugeField<T, W>&, double, \
                                      const AlgebraField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
