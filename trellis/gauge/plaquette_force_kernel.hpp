// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The plaquette force on the links of one tile, in registers: all four at once, for CPUs, or a single one, for a GPU
// thread, whose registers would not hold four. Both have the same bits.

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Im tr(T_a U_mu V_mu^dagger) for the four links of the tile's sites, plaquettes only. Done plane by plane, because its
// two directions share links; the plaquette that starts at the site is used for both, once with each sign, since
// Im tr(T P^dagger) = -Im tr(T P). 46 matrix products.
template <class T, int W>
TRELLIS_INLINE void plaquette_forces(const GaugeAccess<T, W>& u, const AlgebraAccess<T, W>& p, int tile, int following,
                                     Algebra<lanes_t<T, W>> force[4]) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  Matrix<S> below[4];
  for (int mu = 0; mu < 4; ++mu) below[mu] = Matrix<S>::zero();
  for (int mu = 0; mu < 4; ++mu)
    for (int k = 0; k < 8; ++k) force[mu].p[k] = S(T(0));
  int plane = 0;
  for (int mu = 0; mu < 3; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      const Hop ahead = next(tile, mu), up = next(tile, nu);
      u.prefetch_stencil(following, 2 * plane, 12);
      const Matrix<S> w = multiply_adjoint(u.link(tile, mu) * u.link(ahead, nu), u.link(tile, nu) * u.link(up, mu));
      const Algebra<S> f = imaginary_trace(w);
      force[mu] = force[mu] + f;
      force[nu] = force[nu] - f;
      u.prefetch_stencil(following, 2 * plane + 1, 12);
      const Hop down = next(tile, backward(nu)), behind = next(tile, backward(mu));
      below[mu] =
          multiply_add(adjoint_multiply(u.link(down, nu), u.link(down, mu)), u.link(next(down, mu), nu), below[mu]);
      p.prefetch(following, plane++, 6);
      below[nu] = multiply_add(adjoint_multiply(u.link(behind, mu), u.link(behind, nu)), u.link(next(behind, nu), mu),
                               below[nu]);
    }
  for (int mu = 0; mu < 4; ++mu) force[mu] = force[mu] + imaginary_trace(multiply_adjoint(u.link(tile, mu), below[mu]));
}

// The same for one link, of direction mu, in the same order of operations: for a GPU thread, whose registers would not
// hold four. The plaquettes that start at the site are computed twice; 64 matrix products per site.
template <class T, int W>
TRELLIS_INLINE Algebra<lanes_t<T, W>> plaquette_force(const GaugeAccess<T, W>& u, int tile, int mu) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  Matrix<S> below = Matrix<S>::zero();
  Algebra<S> force;
  for (int k = 0; k < 8; ++k) force.p[k] = S(T(0));
  for (int other = 0; other < 3; ++other) {
    const int nu = other < mu ? other : other + 1;
    const int first = nu < mu ? nu : mu, second = nu < mu ? mu : nu;
    const Matrix<S> w = multiply_adjoint(u.link(tile, first) * u.link(next(tile, first), second),
                                         u.link(tile, second) * u.link(next(tile, second), first));
    const S sign = S(T(nu < mu ? -1 : 1));
    force = fma(sign, imaginary_trace(w), force);
    const Hop down = next(tile, backward(nu));
    below = multiply_add(adjoint_multiply(u.link(down, nu), u.link(down, mu)), u.link(next(down, mu), nu), below);
  }
  return force + imaginary_trace(multiply_adjoint(u.link(tile, mu), below));
}

// p += scaled times the force: f(tile, following) and f(tile, mu).
template <class T, int W>
struct AddForcesOfTile {
  using S = lanes_t<T, W>;
  GaugeAccess<T, W> links;
  AlgebraAccess<T, W> momenta;
  T scaled;

  TRELLIS_INLINE void operator()(int tile, int following) const {
    Algebra<S> force[4];
    plaquette_forces(links, momenta, tile, following, force);
    for (int mu = 0; mu < 4; ++mu) momenta.set(tile, mu, fma(S(scaled), force[mu], momenta.at(tile, mu)));
  }
};
template <class T, int W>
struct AddForceOfLink {
  using S = lanes_t<T, W>;
  static constexpr int least_blocks = std::is_same_v<T, float> ? 4 : 0;  // 128 registers; left alone it uses 106
  GaugeAccess<T, W> links;
  AlgebraAccess<T, W> momenta;
  T scaled;

  TRELLIS_INLINE void operator()(int tile, int mu) const {
    momenta.set(tile, mu, fma(S(scaled), plaquette_force(links, tile, mu), momenta.at(tile, mu)));
  }
};

}  // namespace trellis::gauge
