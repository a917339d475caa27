// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The plaquette force on the links of one tile, in registers.

#include "trellis/gauge/link_in_memory.hpp"
#include "trellis/gauge/planes.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/su3/products_by_rows.hpp"

namespace trellis::gauge {

enum class Start { from_momenta, from_zero };

// For for_joined_parts: p (+)= scaled Im tr(T_a U_mu V_mu^dagger), V_mu the sum of the plaquette staples. A part is a
// plaquette that starts at the site; it is used for both its directions, once with each sign, since Im tr(T P^dagger)
// = -Im tr(T P). A join adds the plaquettes below a link. 46 matrix products per site.
template <class T, int W>
struct AddPlaquetteForces {
  using S = lanes_t<T, W>;
  static constexpr int parts = Plane::count, joins = 4;
  static constexpr int least_blocks = std::is_same_v<T, double> ? 2 : 3;  // 168 and 112 registers
  struct Part {
    Algebra<S> force;  // on U_mu(x), and with the opposite sign on U_nu(x)
  };

  GaugeAccess<T, W> links;
  AlgebraAccess<T, W> momenta;
  T scaled;
  bool from_zero;

  // F_a = -1/3 Im tr(T_a U V^dagger)
  AddPlaquetteForces(double weight, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p, Start start)
      : links(u.access()), momenta(p.access()), scaled(T(-step / 3 * weight)), from_zero(start == Start::from_zero) {}

  TRELLIS_INLINE Part part(int tile, int following, int plane) const {
    const Neighbours& next = links.neighbours;
    const auto [mu, nu] = Plane::of(plane);
    links.prefetch_stencil(following, plane, parts + joins);
    using Link = LinkInMemory<T, W>;
    return {imaginary_trace(plaquette_by_rows<S>(Link(links, tile, mu), Link(links, next(tile, mu), nu),
                                                 Link(links, tile, nu), Link(links, next(tile, nu), mu)))};
  }
  template <class Parts>
  TRELLIS_INLINE void join(int tile, int following, int mu, const Parts& part) const {
    const Neighbours& next = links.neighbours;
    links.prefetch_stencil(following, parts + mu, parts + joins);
    momenta.prefetch(following, mu, joins);
    using Link = LinkInMemory<T, W>;
    StackMatrix<S> below, loops;
    Algebra<S> force = Algebra<S>::zero();
    const complex<S> zero(S(T(0)));
    for (int i = 0; i < 3; ++i) below.set_row(i, {{zero, zero, zero}});
    Plane::for_each_with(mu, [&](int plane, int nu) {
      force = fma(S(T(nu < mu ? -1 : 1)), part(plane).force, force);
      const Hop down = next(tile, backward(nu));
      add_path_below(Link(links, down, nu), Link(links, down, mu), Link(links, next(down, mu), nu), below);
      backend::hold_loads();
    });
    const Link link(links, tile, mu);
    for (int i = 0; i < 3; ++i) loops.set_row(i, multiply_adjoint(row_of<S>(link, i), below));
    force = force + imaginary_trace(to_matrix(loops));
    const Algebra<S> before = from_zero ? Algebra<S>::zero() : momenta.at(tile, mu);
    momenta.set(tile, mu, fma(S(scaled), force, before));
  }
};

}  // namespace trellis::gauge
