// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parallelograms and their forces in registers. With a site x and signed directions a, b let
//   C_{a b}(x) = U_b(x + a) U_a(x + b)^dagger,
// the path from x + a over x + a + b to x + b; C_{b a} is its adjoint.
// tr C_{a b} C_{b c} C_{c a} is a parallelogram around the corner x of a cube, which it does not touch. Of the 32
// corners at a site each loop has two, which are opposite: 16 loops. The loops through the link U_b(x + a) around x are
// Re tr C_{a b} K_{b a}, with K_{b a}(x) = sum_c C_{b c} C_{c a} over the four c in other directions; a and b swapped,
// this is the adjoint: one K serves two links.

#include "trellis/gauge/planes.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// U_s of the site, or the adjoint of the link that leads to it from behind: one step s, 0 to 7.
template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> link_along(const GaugeAccess<T, W>& u, Hop at, int step) {
  return step < 4 ? u.link(at, step) : adjoint(u.link(u.neighbours(at, step), step - 4));
}

// C_{a b} of the tile's sites; a and b are steps.
template <class T, int W>
TRELLIS_HOST_CALL Matrix<lanes_t<T, W>> corner(const GaugeAccess<T, W>& u, int tile, int a, int b) {
  return multiply_adjoint(link_along(u, u.neighbours(tile, a), b), link_along(u, u.neighbours(tile, b), a));
}

// The 24 paths of a tile with |a| < |b|, computed when they are asked for.
template <class T, int W>
struct CornersOfLinks {
  GaugeAccess<T, W> links;
  int tile;
  TRELLIS_INLINE Matrix<lanes_t<T, W>> operator()(int a, int b) const { return corner(links, tile, a, b); }
};
// sum of Re tr of parallelograms around a tile's sites: the four with links in x, y and z, or the twelve with links in
// t that lead forward. All four of a cube are around two of its corners that are opposite, so the latter are those
// between a time slice and the next one.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> parallelogram_traces_of_slice(const GaugeAccess<T, W>& u, int tile, bool in_time) {
  using S = lanes_t<T, W>;
  const CornersOfLinks<T, W> corners{u, tile};
  S sum = S(T(0));
  for (int mu = 0; mu < (in_time ? 2 : 1); ++mu)
    for (int nu = mu + 1; nu < (in_time ? 3 : 2); ++nu)
      for (int sign = 0; sign < 4; ++sign) {
        const int a = mu + 4 * (sign / 2), b = nu + 4 * (sign % 2), c = in_time ? 3 : 2;
        sum = sum + real_trace_adjoint(corners(a, b) * corners(b, c), corners(a, c));
      }
  return sum;
}
// The same of all 16.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> parallelogram_traces(const GaugeAccess<T, W>& u, int tile) {
  using S = lanes_t<T, W>;
  const CornersOfLinks<T, W> corners{u, tile};
  S sum = S(T(0));
  for (int mu = 0; mu < 2; ++mu)
    for (int nu = mu + 1; nu < 3; ++nu)
      for (int rho = nu + 1; rho < 4; ++rho)
        for (int sign = 0; sign < 4; ++sign) {
          const int b = nu + 4 * (sign / 2), c = rho + 4 * (sign % 2);
          sum = sum + real_trace_adjoint(corners(mu, b) * corners(b, c), corners(mu, c));
        }
  return sum;
}
inline constexpr double parallelogram_flops = 16 * (4 * product_flops + 35);  // of a site

// K_{b a} of the steps a in direction mu and b in direction nu, mu < nu.
template <class S, class Corners>
TRELLIS_HOST_CALL Matrix<S> closing_paths(const Corners& corners, int a, int b) {
  const int mu = a % 4, nu = b % 4;
  Matrix<S> sum = Matrix<S>::zero();
  for (int step = 0; step < 8; ++step) {
    const int rho = step % 4;
    if (rho > nu) sum = multiply_adjoint_add(corners(b, step), corners(a, step), sum);
    if (rho < mu) sum = adjoint_multiply_add(corners(step, b), corners(step, a), sum);
    if (mu < rho && rho < nu) sum = sum + adjoint(corners(a, step) * corners(step, b));
  }
  return sum;
}

// Im tr(T_a loops) around a tile's sites in one plane: set(mu, a, share) for the link U_mu(x + a), a a step.
template <class S, class Corners, class Set>
TRELLIS_INLINE void shares_of_plane(const Corners& corners, int plane, const Set& set) {
  const auto [mu, nu] = Plane::of(plane);
  for (int sign = 0; sign < 3; ++sign) {  // with both steps backward there is no forward link
    const int a = mu + 4 * (sign / 2), b = nu + 4 * (sign % 2);
    const Matrix<S> closing = closing_paths<S>(corners, a, b);
    const Matrix<S>& path = corners(a, b);
    if (b < 4) set(nu, a, S(1), imaginary_trace(path * closing));
    if (a < 4) set(mu, b, S(-1), imaginary_trace(closing * path));
  }
}

}  // namespace trellis::gauge
