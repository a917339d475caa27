// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staples in registers: what a link U_mu(x) is multiplied by in the loops that contain it.
// Both functions return V with sum over loops through the link of (weight) Re tr(loop) = Re tr(U_mu(x) V^dagger).
// Plaquettes: 12 matrix products per link. Those of parallelograms are not here. With rectangles: the 1 x 2 rectangles
// through a link are its plaquette staples with one of the three links replaced by that link's own outward staple; 66
// products per link.

#include "trellis/gauge/loop_weights.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> plaquette_staple(const GaugeAccess<T, W>& u, int tile, int mu) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const Hop ahead = next(tile, mu);
  Matrix<S> v = Matrix<S>::zero();
  for (int nu = 0; nu < 4; ++nu) {
    if (nu == mu) continue;
    const Hop up = next(tile, nu), down = next(tile, backward(nu));
    const Matrix<S> above = u.link(tile, nu) * u.link(up, mu);
    v = multiply_adjoint_add(above, u.link(ahead, nu), v);
    const Matrix<S> below = adjoint_multiply(u.link(down, nu), u.link(down, mu));
    v = multiply_add(below, u.link(next(ahead, backward(nu)), nu), v);
  }
  return v;
}

namespace staple_detail {

// U_side U_along U_side^dagger around the link U_along's parallel at one step `side` from `at`: the path
// at -> at + side -> at + side + along -> at + along. The two kinds of links may be those of different fields.
template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> forward_staple(const GaugeAccess<T, W>& of_along, const GaugeAccess<T, W>& of_side,
                                                    Hop at, int along, int side) {
  const Neighbours& next = of_along.neighbours;
  return multiply_adjoint(of_side.link(at, side) * of_along.link(next(at, side), along),
                          of_side.link(next(at, along), side));
}
template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> forward_staple(const GaugeAccess<T, W>& u, Hop at, int along, int side) {
  return forward_staple(u, u, at, along, side);
}
template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> backward_staple(const GaugeAccess<T, W>& of_along,
                                                     const GaugeAccess<T, W>& of_side, Hop at, int along, int side) {
  const Neighbours& next = of_along.neighbours;
  const Hop down = next(at, backward(side));
  return adjoint_multiply(of_side.link(down, side), of_along.link(down, along)) * of_side.link(next(down, along), side);
}
template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> backward_staple(const GaugeAccess<T, W>& u, Hop at, int along, int side) {
  return backward_staple(u, u, at, along, side);
}

// The weighted upper staples (in direction +nu) of the link at `at` in direction mu. a, b, c are the three links of the
// plaquette staple a b c^dagger; primed ones are their outward staples.
template <class T, int W>
TRELLIS_NOINLINE void add_above(const GaugeAccess<T, W>& u, Hop at, int mu, int nu, LoopWeights weights,
                                Matrix<lanes_t<T, W>>& v) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const Hop up = next(at, nu), ahead = next(at, mu);
  const S plaquette = S(T(weights.plaquette)), rectangle = S(T(weights.rectangle));
  const Matrix<S> a = u.link(at, nu), b = u.link(up, mu);
  const Matrix<S> a_sum = fma(plaquette, a, rectangle * backward_staple(u, at, nu, mu));
  const Matrix<S> b_out = rectangle * forward_staple(u, up, mu, nu);
  v = multiply_adjoint_add(multiply_add(a_sum, b, a * b_out), u.link(ahead, nu), v);
  const Matrix<S> c_out = rectangle * forward_staple(u, ahead, nu, mu);
  v = multiply_adjoint_add(a * b, c_out, v);
}
// The same for lower staples (-nu): a^dagger b c with links a at x - nu, b at x - nu, c at x - nu + mu.
template <class T, int W>
TRELLIS_NOINLINE void add_below(const GaugeAccess<T, W>& u, Hop at, int mu, int nu, LoopWeights weights,
                                Matrix<lanes_t<T, W>>& v) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const Hop down = next(at, backward(nu)), corner = next(down, mu);
  const S plaquette = S(T(weights.plaquette)), rectangle = S(T(weights.rectangle));
  const Matrix<S> a = u.link(down, nu), b = u.link(down, mu);
  const Matrix<S> a_sum = fma(plaquette, a, rectangle * backward_staple(u, down, nu, mu));
  const Matrix<S> b_out = rectangle * backward_staple(u, down, mu, nu);
  v = multiply_add(adjoint_multiply_add(a_sum, b, adjoint_multiply(a, b_out)), u.link(corner, nu), v);
  const Matrix<S> c_out = rectangle * forward_staple(u, corner, nu, mu);
  v = multiply_add(adjoint_multiply(a, b), c_out, v);
}

}  // namespace staple_detail

template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> weighted_staple(const GaugeAccess<T, W>& u, int tile, int mu,
                                                     LoopWeights weights) {
  using S = lanes_t<T, W>;
  if (weights.rectangle == 0) return S(T(weights.plaquette)) * plaquette_staple(u, tile, mu);
  Matrix<S> v = Matrix<S>::zero();
  for (int nu = 0; nu < 4; ++nu) {
    if (nu == mu) continue;
    staple_detail::add_above(u, Hop{tile, 0}, mu, nu, weights, v);
    staple_detail::add_below(u, Hop{tile, 0}, mu, nu, weights, v);
  }
  return v;
}

}  // namespace trellis::gauge
