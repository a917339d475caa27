// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One plaquette's contribution to the force of rectangle_force.hpp, in registers.

#include "trellis/gauge/planes.hpp"
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
  const auto plaquette = [&] { return plaquettes.at(here, plane); };
  Algebra<S> along, up, opposite, ahead;
  {
    const Matrix<S> link = u.link(tile, mu);
    const Matrix<S> a = multiply_adjoint(link * plaquettes.at(next(tile, mu), plane), link);
    backend::hold_loads();
    along = up = opposite = imaginary_trace(a * plaquette());
  }
  backend::hold_loads();
  {
    const Matrix<S> link = u.link(tile, nu);
    const Matrix<S> n = multiply_adjoint(link * plaquettes.at(next(tile, nu), plane), link);
    backend::hold_loads();
    ahead = imaginary_trace(plaquette() * n);
    along = along + ahead;
    up = up + ahead;
  }
  backend::hold_loads();
  {
    const Matrix<S> link = u.link(before, mu);
    const Matrix<S> b = adjoint_multiply(link, plaquettes.at(before, plane)) * link;
    backend::hold_loads();
    const Matrix<S> p = plaquette();
    const Algebra<S> pb = imaginary_trace(p * b);
    along = along + pb;
    ahead = ahead + pb;
    opposite = opposite + imaginary_trace(b * p);
  }
  backend::hold_loads();
  {
    const Matrix<S> link = u.link(below, nu);
    const Matrix<S> d = adjoint_multiply(link, plaquettes.at(below, plane)) * link;
    backend::hold_loads();
    const Matrix<S> p = plaquette();
    const Algebra<S> dp = imaginary_trace(d * p);
    up = up + dp;
    opposite = opposite + dp;
    ahead = ahead + imaginary_trace(p * d);
  }
  backend::hold_loads();
  const S rectangle = S(T(weights.rectangle));
  Algebra<S> weighted = imaginary_trace(plaquette());
  for (int k = 0; k < 8; ++k) weighted.p[k] = S(T(weights.plaquette)) * weighted.p[k];
  force.along = fma(rectangle, along, weighted);
  force.up = fma(rectangle, up, weighted);
  force.opposite = to_algebra(rotated_back(u.link(tile, nu), to_hermitian(fma(rectangle, opposite, weighted))));
  backend::hold_loads();
  force.ahead = to_algebra(rotated_back(u.link(tile, mu), to_hermitian(fma(rectangle, ahead, weighted))));
}

// For for_joined_parts: p += the forces of the loops through the plaquettes of a tile, one part for each plane, on the
// links at the plaquettes' corner; shares of other links are stored.
template <class T, int W>
struct AddForcesOfLoops {
  using S = lanes_t<T, W>;
  static constexpr int parts = Plane::count, joins = 4;
  static constexpr int least_blocks = std::is_same_v<T, double> ? 2 : 3;  // 168 and 112 registers
  struct Part {
    Algebra<S> along, up;  // of loop_forces()
  };

  GaugeAccess<T, W> links;
  PlaquetteAccess<T, W> plaquettes;
  ShareAccess<T, W> shares;
  AlgebraAccess<T, W> momenta;
  LoopWeights weights;

  TRELLIS_INLINE Part part(int tile, int following, int plane) const {
    const auto [mu, nu] = Plane::of(plane);
    links.prefetch_stencil(following, plane, parts);
    plaquettes.prefetch_stencil(following, plane);
    momenta.prefetch(following, plane, parts);
    LoopForces<S> force;
    loop_forces(links, plaquettes, tile, mu, nu, plane, weights, force);
    shares.stream_share(tile, nu, mu, S(T(1)), force.ahead);
    shares.stream_share(tile, mu, nu, S(T(-1)), force.opposite);
    return {force.along, force.up};
  }
  template <class Parts>
  TRELLIS_INLINE void join(int tile, int /*following*/, int direction, const Parts& part) const {
    Algebra<S> sum = momenta.at(tile, direction);
    Plane::for_each_with(direction, [&](int plane, int other) {
      sum = direction < other ? sum + part(plane).along : sum - part(plane).up;
    });
    momenta.set(tile, direction, sum);
  }
};

}  // namespace trellis::gauge::rectangle_detail
