// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover-leaf field strength of clover.hpp, and the densities of energy and charge, in registers.

#include "trellis/gauge/clover_kernel.hpp"

namespace trellis::gauge {

// F^a_{mu nu} of F = sum_a F^a T_a at the tile's sites; a loop and its adjoint differ in the sign of Im tr(T_a loop).
template <class T, int W>
TRELLIS_HOST_CALL Algebra<lanes_t<T, W>> field_strength(const GaugeAccess<T, W>& u, int tile, int mu, int nu) {
  using S = lanes_t<T, W>;
  Algebra<S> f = imaginary_trace(leaf_difference<S>(u, tile, mu, nu));
  for (int a = 0; a < 8; ++a) f.p[a] = S(T(0.5)) * f.p[a];
  return f;
}

namespace clover_detail {

template <class S>
TRELLIS_INLINE S product(const Algebra<S>& a, const Algebra<S>& b) {
  S sum = a.p[0] * b.p[0];
  for (int k = 1; k < 8; ++k) sum = fma(a.p[k], b.p[k], sum);
  return sum;
}

}  // namespace clover_detail

// F^a_xy F^a_zt - F^a_xz F^a_yt + F^a_xt F^a_yz, whose sum over all sites is 8 pi^2 Q: tr F G = 1/2 F^a G^a.
template <class S>
TRELLIS_INLINE S charge_density(const Algebra<S>& xy, const Algebra<S>& xz, const Algebra<S>& xt, const Algebra<S>& yz,
                                const Algebra<S>& yt, const Algebra<S>& zt) {
  using clover_detail::product;
  return product(xy, zt) - product(xz, yt) + product(xt, yz);
}
inline constexpr double charge_of_density = 1.0 / 78.956835208714863691;  // 1 / (8 pi^2)

// Sums over planes of F^a F^a, and charge_density().
template <class S>
struct CloverDensity {
  S spatial, temporal, charge;
};

template <class T, int W>
TRELLIS_HOST_CALL CloverDensity<lanes_t<T, W>> clover_density(const GaugeAccess<T, W>& u, int tile) {
  using S = lanes_t<T, W>;
  const Algebra<S> xy = field_strength(u, tile, 0, 1), zt = field_strength(u, tile, 2, 3);
  const Algebra<S> xz = field_strength(u, tile, 0, 2), yt = field_strength(u, tile, 1, 3);
  const Algebra<S> yz = field_strength(u, tile, 1, 2), xt = field_strength(u, tile, 0, 3);
  return {norm(xy) + norm(xz) + norm(yz), norm(xt) + norm(yt) + norm(zt), charge_density(xy, xz, xt, yz, yt, zt)};
}

}  // namespace trellis::gauge
