// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge fixing of one tile in registers (gauge_fixing.hpp).

#include "trellis/gauge/fixing/gauge_transformation.hpp"
#include "trellis/gauge/heatbath/heatbath_kernel.hpp"

namespace trellis::gauge::fixing_detail {

// m(x), from the directions mu < Directions. Prefetches links for the tile `following`: its own, and those that lead to
// it, each of which is a quarter of another tile and is read once, so that hardware does not predict it.
template <int Directions, class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> links_at_site(const GaugeAccess<T, W>& u, const TransformationAccess<T, W>& g,
                                                   const Matrix<lanes_t<T, W>>& here, int tile, int following) {
  using S = lanes_t<T, W>;
  Matrix<S> ahead = Matrix<S>::zero(), behind = Matrix<S>::zero();
  for (int mu = 0; mu < Directions; ++mu) {
    u.prefetch(u.neighbours(following, backward(mu)).tile, mu, 4);
    u.prefetch(following, mu, 4);
    const Hop down = u.neighbours(tile, backward(mu));
    ahead = multiply_adjoint_add(u.link(tile, mu), g.at(u.neighbours(tile, mu)), ahead);
    behind = multiply_add(g.at(down), u.link(down, mu), behind);
  }
  return here * (ahead + adjoint(behind));
}

// g <- r3 r2 r1 g, where r_k maximises Re tr r m in its subgroup, overrelaxed.
template <class S>
TRELLIS_INLINE Matrix<S> relaxed(Matrix<S> g, Matrix<S> m, double w) {
  using D = lanes_t<double, lane_count<S>>;
  for (int subgroup = 0; subgroup < 3; ++subgroup) {
    const int i = subgroup == 2 ? 1 : 0, j = subgroup == 0 ? 1 : 2;
    D length;
    auto r = heatbath_detail::subgroup_part(m, i, j, length);
    for (D& a : r.a) a = D(w) * a;
    r.a[0] = r.a[0] + D(1 - w);
    D square = r.a[0] * r.a[0];  // at least 1
    for (int k = 1; k < 4; ++k) square = fma(r.a[k], r.a[k], square);
    const D inverse = D(1.0) / sqrt(square);
    for (D& a : r.a) a = inverse * a;
    heatbath_detail::multiply_rows(r, i, j, g);
    heatbath_detail::multiply_rows(r, i, j, m);
  }
  return reunitarise(g);
}

}  // namespace trellis::gauge::fixing_detail
