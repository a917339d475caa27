// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One plaquette's contribution to the force of rectangle_force.hpp, in registers.

#include "trellis/gauge/plaquette_shares.hpp"
#include "trellis/gauge/staple.hpp"
#include "trellis/gauge/streaming.hpp"
#include "trellis/su3/hermitian.hpp"

namespace trellis::gauge::rectangle_detail {

// The plaquettes of the planes xy, xz, xt, yz, yt, zt: three in each of two gauge fields, whose fourth matrix is
// unused.
template <class T, int W>
struct PlaquetteAccess {
  GaugeAccess<T, W> halves[2];

  TRELLIS_INLINE Matrix<lanes_t<T, W>> at(Hop hop, int plane) const { return halves[plane / 3].link(hop, plane % 3); }
  TRELLIS_INLINE void set(int tile, int plane, const Matrix<lanes_t<T, W>>& p) const {
    stream_link(halves[plane / 3], tile, plane % 3, p);
  }
  // Prefetches a sixth of what is needed around a tile, from both halves.
  TRELLIS_INLINE void prefetch_stencil(int tile, int sixth) const {
    halves[0].prefetch_stencil(tile, sixth, 8);
    halves[1].prefetch_stencil(tile, sixth, 8);
  }
};

// Im tr(T_a loops) for the four links of a plaquette.
template <class S>
struct LoopForces {
  Algebra<S> along, up;        // of U_mu(x), and with opposite orientation of U_nu(x)
  Algebra<S> opposite, ahead;  // with opposite orientation of U_mu(x + nu), and of U_nu(x + mu)
};

template <class T, int W>
TRELLIS_HOST_CALL void loop_forces(const GaugeAccess<T, W>& u, const PlaquetteAccess<T, W>& plaquettes, int tile,
                                   int mu, int nu, int plane, LoopWeights weights, LoopForces<lanes_t<T, W>>& force) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const Hop here{tile, 0}, before = next(tile, backward(mu)), below = next(tile, backward(nu));
  const Matrix<S> p = plaquettes.at(here, plane);
  const Algebra<S> alone = imaginary_trace(p);
  Algebra<S> along, up, opposite, ahead;
  {
    const Matrix<S> link = u.link(tile, mu);
    const Matrix<S> a = multiply_adjoint(link * plaquettes.at(next(tile, mu), plane), link);
    along = up = opposite = imaginary_trace(a * p);
  }
  {
    const Matrix<S> link = u.link(tile, nu);
    const Matrix<S> n = multiply_adjoint(link * plaquettes.at(next(tile, nu), plane), link);
    ahead = imaginary_trace(p * n);
    along = along + ahead;
    up = up + ahead;
  }
  {
    const Matrix<S> link = u.link(before, mu);
    const Matrix<S> b = adjoint_multiply(link, plaquettes.at(before, plane)) * link;
    const Algebra<S> pb = imaginary_trace(p * b);
    along = along + pb;
    ahead = ahead + pb;
    opposite = opposite + imaginary_trace(b * p);
  }
  {
    const Matrix<S> link = u.link(below, nu);
    const Matrix<S> d = adjoint_multiply(link, plaquettes.at(below, plane)) * link;
    const Algebra<S> dp = imaginary_trace(d * p);
    up = up + dp;
    opposite = opposite + dp;
    ahead = ahead + imaginary_trace(p * d);
  }
  const S rectangle = S(T(weights.rectangle));
  Algebra<S> weighted;
  for (int k = 0; k < 8; ++k) weighted.p[k] = S(T(weights.plaquette)) * alone.p[k];
  force.along = fma(rectangle, along, weighted);
  force.up = fma(rectangle, up, weighted);
  force.opposite = to_algebra(rotated_back(u.link(tile, nu), to_hermitian(fma(rectangle, opposite, weighted))));
  force.ahead = to_algebra(rotated_back(u.link(tile, mu), to_hermitian(fma(rectangle, ahead, weighted))));
}

}  // namespace trellis::gauge::rectangle_detail
