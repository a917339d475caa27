// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staples around matrices that need not be links, in registers, and their derivative by the links at the sides. Let A
// be matrices that transform as links in direction mu do. Then
//   S_nu[A](x) = U_nu(x) A(x+nu) U_nu(x+mu)^dagger + U_nu(x-nu)^dagger A(x-nu) U_nu(x-nu+mu).
// S_nu is its own transpose: if dS = sum Re tr(G^dagger dX) with X = S_nu[A], then dS = sum Re tr(S_nu[G]^dagger dA).
// The links at the sides have, in the same sense, the gradient
//   G(x) U_nu(x+mu) A(x+nu)^dagger + G(x-mu)^dagger U_nu(x-mu) A(x-mu+nu), plus the same with A and G exchanged.
// Four matrix products each.

#include "trellis/gauge/link_in_memory.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/su3/products_by_rows.hpp"

namespace trellis::gauge::improved_detail {

// The three directions beside mu.
inline constexpr int sides = 3;
TRELLIS_INLINE constexpr int side_of(int mu, int k) { return (mu + 1 + k) & 3; }

// A: one of the four matrices of a site, or its adjoint.
template <class T, int W>
struct MatrixOf {
  using S = lanes_t<T, W>;
  GaugeAccess<T, W> field;
  int slot;
  template <class Place>
  TRELLIS_INLINE Matrix<S> operator()(Place place) const {
    return field.link(place, slot);
  }
  using InMemory = LinkInMemory<T, W>;
};
template <class T, int W>
struct AdjointOf {
  using S = lanes_t<T, W>;
  GaugeAccess<T, W> field;
  int slot;
  template <class Place>
  TRELLIS_INLINE Matrix<S> operator()(Place place) const {
    return adjoint(field.link(place, slot));
  }
  using InMemory = AdjointInMemory<T, W>;
};

// sum += S_nu[A]
template <class A, class T, int W>
TRELLIS_HOST_CALL void add_staples(const GaugeAccess<T, W>& u, const A& a, int tile, int mu, int nu,
                                   Matrix<lanes_t<T, W>>& sum) {
  const Neighbours& next = u.neighbours;
  const Hop down = next(tile, backward(nu));
  using Link = LinkInMemory<T, W>;
  using Middle = typename A::InMemory;
  add_paths(Link(u, tile, nu), Middle(a.field, next(tile, nu), a.slot), Link(u, next(tile, mu), nu), Link(u, down, nu),
            Middle(a.field, down, a.slot), Link(u, next(down, mu), nu), sum);
}

// Prefetches what add_staples() will read. Loads of neighbours in other rows and columns do not follow
// one another in memory, so processors do not foresee them.
template <class A, class T, int W>
TRELLIS_INLINE void prefetch_staples(const GaugeAccess<T, W>& u, const A& a, int tile, int mu, int nu) {
  const Neighbours& next = u.neighbours;
  const Hop down = next(tile, backward(nu));
  u.prefetch(tile, nu, 4);
  u.prefetch(next(tile, mu).tile, nu, 4);
  u.prefetch(down.tile, nu, 4);
  u.prefetch(next(down, mu).tile, nu, 4);
  a.field.prefetch(next(tile, nu).tile, a.slot, 4);
  a.field.prefetch(down.tile, a.slot, 4);
}

// sum += the gradient's part that is written out above.
template <class A, class G, class T, int W>
TRELLIS_HOST_CALL void add_sides(const GaugeAccess<T, W>& u, const A& a, const G& g, int tile, int mu, int nu,
                                 Matrix<lanes_t<T, W>>& sum) {
  const Neighbours& next = u.neighbours;
  const Hop behind = next(tile, backward(mu));
  using Link = LinkInMemory<T, W>;
  using Of = typename A::InMemory;
  using By = typename G::InMemory;
  add_paths(By(g.field, tile, g.slot), Link(u, next(tile, mu), nu), Of(a.field, next(tile, nu), a.slot),
            By(g.field, behind, g.slot), Link(u, behind, nu), Of(a.field, next(behind, nu), a.slot), sum);
}

// Prefetches what add_sides() will read, also with A and G exchanged.
template <class A, class G, class T, int W>
TRELLIS_INLINE void prefetch_sides(const GaugeAccess<T, W>& u, const A& a, const G& g, int tile, int mu, int nu) {
  const Neighbours& next = u.neighbours;
  const Hop behind = next(tile, backward(mu));
  u.prefetch(next(tile, mu).tile, nu, 4);
  u.prefetch(behind.tile, nu, 4);
  for (const int at : {tile, int(behind.tile), int(next(tile, nu).tile), int(next(behind, nu).tile)}) {
    a.field.prefetch(at, a.slot, 4);
    g.field.prefetch(at, g.slot, 4);
  }
}

}  // namespace trellis::gauge::improved_detail
