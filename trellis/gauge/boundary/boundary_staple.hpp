// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staples of links at a boundary in time, in registers.

#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/staple.hpp"

namespace trellis::gauge {

namespace boundary_staple_detail {

// Of a plaquette's staple a b c, its rectangles by the link that is replaced by that link's own staple, outwards: a
// (they go on behind U_mu(x)), b (beside it) and c (ahead of it).
struct StapleWeights {
  double plaquette = 0, behind = 0, beside = 0, ahead = 0, squared = 0;
};

// Boundaries are few sites: what is used several times here is compiled once.

// a b c^dagger of links above, a^dagger b c of those below.
template <class S>
TRELLIS_HOST_CALL Matrix<S> path(const Matrix<S>& a, const Matrix<S>& b, const Matrix<S>& c, bool above) {
  return above ? multiply_adjoint(a * b, c) : adjoint_multiply(a, b) * c;
}

// The staple on one side.
template <class T, int W>
TRELLIS_HOST_CALL Matrix<lanes_t<T, W>> one_staple(const GaugeAccess<T, W>& u, Hop at, int along, int side,
                                                   bool forward) {
  return forward ? staple_detail::forward_staple(u, at, along, side)
                 : staple_detail::backward_staple(u, at, along, side);
}

// v + the weighted staples in direction nu, or -nu. Re tr P^2 = Re tr((U V^dagger)^2) changes like 2 Re tr(U X^dagger),
// X = V U^dagger V.
template <class T, int W>
TRELLIS_HOST_CALL void add_side(const GaugeAccess<T, W>& u, Hop at, int mu, int nu, bool above, const StapleWeights& w,
                                Matrix<lanes_t<T, W>>& v) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const Hop start = above ? at : next(at, backward(nu));      // of a, and of b below
  const Hop beside = above ? next(at, nu) : start;            // of b
  const Hop corner = above ? next(at, mu) : next(start, mu);  // of c
  const Matrix<S> a = u.link(start, nu), b = u.link(beside, mu), c = u.link(corner, nu);
  const Matrix<S> staple = path(a, b, c, above);
  v = fma(S(T(w.plaquette)), staple, v);
  if (w.squared != 0) v = fma(S(T(2 * w.squared)), staple * adjoint_multiply(u.link(at, mu), staple), v);
  if (w.behind != 0) v = fma(S(T(w.behind)), path(one_staple(u, start, nu, mu, false), b, c, above), v);
  if (w.beside != 0) v = fma(S(T(w.beside)), path(a, one_staple(u, beside, mu, nu, above), c, above), v);
  if (w.ahead != 0) v = fma(S(T(w.ahead)), path(a, b, one_staple(u, corner, nu, mu, true), above), v);
}

}  // namespace boundary_staple_detail

// V of the loops of a set through U_mu(x), with their weights (staple.hpp).
template <class T, int W>
TRELLIS_NOINLINE Matrix<lanes_t<T, W>> boundary_staple(const GaugeAccess<T, W>& u, int tile, int mu, StapleSet set,
                                                       BoundaryWeights weights) {
  using S = lanes_t<T, W>;
  const Hop here{tile, 0};
  const bool others_in_space = mu == 3 || set == StapleSet::in_space;
  const bool alike = weights.flat == weights.tall && weights.squared == 0;
  const S plaquette = S(T(weights.plaquette));
  Matrix<S> v = Matrix<S>::zero();
  for (int nu = others_in_space ? 0 : 3; nu < (others_in_space ? 3 : 4); ++nu) {
    if (nu == mu) continue;
    const bool above = others_in_space || set == StapleSet::forward_in_time;
    const bool below = others_in_space || set == StapleSet::backward_in_time;
    if (alike && weights.flat == 0) {
      for (const bool forward : {true, false})
        if (forward ? above : below)
          v = fma(plaquette, boundary_staple_detail::one_staple(u, here, mu, nu, forward), v);
    } else if (alike && mu != 3) {
      const LoopWeights loops{weights.plaquette, weights.flat, 0};
      if (above) staple_detail::add_above(u, here, mu, nu, loops, v);
      if (below) staple_detail::add_below(u, here, mu, nu, loops, v);
    } else {
      boundary_staple_detail::StapleWeights w{weights.plaquette, weights.flat, weights.tall, weights.flat,
                                              weights.squared};
      if (mu == 3) {
        w.beside = weights.flat;
        w.behind = set == StapleSet::backward_in_time ? weights.tall : 0;
        w.ahead = set == StapleSet::forward_in_time ? weights.tall : 0;
      }
      for (const bool side : {true, false})
        if (side ? above : below) boundary_staple_detail::add_side(u, here, mu, nu, side, w, v);
    }
  }
  return v;
}

}  // namespace trellis::gauge
