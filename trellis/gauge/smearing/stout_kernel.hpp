// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The derivative of X, the exponent of stout smearing, in registers. X / rho of a link is minus the traceless
// anti-Hermitian part of the six plaquettes that start with the link. Each plaquette is visited once, at its corner x:
//   P = U1 U2 U3^dagger U4^dagger, U1 = U_mu(x), U2 = U_nu(x + mu), U3 = U_mu(x + nu), U4 = U_nu(x).
// Links move as dU = i H U with Hermitian H1 ... H4; then dP = i (K P - P K'), K = H1 + U1 H2 U1^dagger,
// K' = H4 + U4 H3 U4^dagger. With Psi the Hermitian part of K P - P K' and i s the anti-Hermitian part of P, the
// plaquette gives, as i times Hermitian matrices,
//   to U1   Psi                                            to U4  -Psi
//   to U2   U1^dagger (Psi + i [s, H1]) U1                 to U3  -U4^dagger (Psi + i [s, H4]) U4:
// the same loop seen from the corners x + mu and x + nu. With P = (C + i s') / 2,
//   Psi = ({C, K - K'} + i [K + K', s']) / 4.
// The shares are returned multiplied by 4. 1100 multiply-adds; 4 links and 4 H are read.

#include "trellis/gauge/link_in_memory.hpp"
#include "trellis/gauge/planes.hpp"
#include "trellis/gauge/plaquette_shares.hpp"
#include "trellis/su3/hermitian.hpp"
#include "trellis/su3/products_by_rows.hpp"

namespace trellis::gauge::stout_detail {

// The contribution of the plaquette in plane mu nu to the link U1 (the opposite one to U4), to U2 and, with the
// opposite sign, to U3.
template <class S>
struct StoutShares {
  Algebra<S> corner, along, across;
};

template <class T, int W>
TRELLIS_INLINE StoutShares<lanes_t<T, W>> plaquette_derivative(const GaugeAccess<T, W>& u, const AlgebraAccess<T, W>& h,
                                                               int tile, int mu, int nu) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const Hop ahead = next(tile, mu), up = next(tile, nu);
  using Link = LinkInMemory<T, W>;
  Hermitian<S> c, s;  // P = (c + i s) / 2
  twice_hermitian_parts(plaquette_by_rows<S>(Link(u, tile, mu), Link(u, ahead, nu), Link(u, tile, nu), Link(u, up, mu)),
                        c, s);
  backend::hold_loads();
  const Hermitian<S> k =
      to_hermitian(h.at(tile, mu)) + rotated(Link(u, tile, mu), to_hermitian(algebra_at(h, next, ahead, 8 * nu)));
  backend::hold_loads();
  const Hermitian<S> k_other =
      to_hermitian(h.at(tile, nu)) + rotated(Link(u, tile, nu), to_hermitian(algebra_at(h, next, up, 8 * mu)));
  const Hermitian<S> psi = anticommutator(c, k - k_other) + commutator(k + k_other, s);
  const Hermitian<S> two_s = s + s;
  StoutShares<S> shares;
  shares.corner = to_algebra(psi);
  backend::hold_loads();
  shares.along = to_algebra(rotated_back(Link(u, tile, mu), psi + commutator(two_s, to_hermitian(h.at(tile, mu)))));
  backend::hold_loads();
  shares.across = to_algebra(rotated_back(Link(u, tile, nu), psi + commutator(two_s, to_hermitian(h.at(tile, nu)))));
  return shares;
}

// For for_joined_parts: g += the contributions of a tile's plaquettes to the links at their corner, one part for each
// plane; those to other links are stored.
template <class T, int W>
struct AddPlaquetteDerivatives {
  using S = lanes_t<T, W>;
  static constexpr int parts = Plane::count, joins = 4;
  static constexpr int least_blocks = std::is_same_v<T, double> ? 2 : 3;  // 168 and 112 registers
  struct Part {
    Algebra<S> corner;
  };

  GaugeAccess<T, W> links;
  AlgebraAccess<T, W> directions;
  ShareAccess<T, W> shares;
  AlgebraAccess<T, W> g;
  T quarter;  // rho / 4

  TRELLIS_INLINE Part part(int tile, int following, int plane) const {
    const auto [mu, nu] = Plane::of(plane);
    links.prefetch_stencil(following, plane, parts, true);
    directions.prefetch(links.neighbours(following, 3).tile, plane, parts);
    g.prefetch(following, plane, parts);
    const StoutShares<S> p = plaquette_derivative(links, directions, tile, mu, nu);
    shares.stream_share(tile, nu, mu, S(-quarter), p.along);
    shares.stream_share(tile, mu, nu, S(quarter), p.across);
    return {p.corner};
  }
  template <class Parts>
  TRELLIS_INLINE void join(int tile, int /*following*/, int direction, const Parts& part) const {
    Algebra<S> sum = g.at(tile, direction);
    // Not Plane::for_each_with: a GPU's compiler then spills three times as many registers in single precision.
    for (int n = 0; n < parts; ++n) {
      const auto [mu, nu] = Plane::of(n);
      if (mu == direction)
        sum = fma(S(-quarter), part(n).corner, sum);
      else if (nu == direction)
        sum = fma(S(quarter), part(n).corner, sum);
    }
    g.set(tile, direction, sum);
  }
};

}  // namespace trellis::gauge::stout_detail
