// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels that links and derivatives of path_smearing.hpp share. Fields of staples hold three matrices per site,
// one for each side of a direction mu.

#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/smearing/improved/coefficients.hpp"
#include "trellis/gauge/smearing/improved/staples.hpp"
#include "trellis/gauge/streaming.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge::improved_detail {

inline bool has_staples(const FatLinkCoefficients& c) {
  return c.three_links != 0 || c.five_links != 0 || c.seven_links != 0 || c.lepage != 0;
}
// The coefficient of U_mu beside S_nu[s_nu], which contains it twice for each nu.
inline double one_link_of(const FatLinkCoefficients& c) { return c.one_link - 6 * c.lepage; }

// A kernel that reads or writes so many matrices of a site, and multiplies so many times.
template <class T, int W>
Kernel cost_of(const char* name, const GaugeField<T, W>& u, int matrices, int products) {
  return {name, bytes_of(u) / 4 * matrices, double(u.lattice().local_volume()) * products * product_flops,
          is_single<T>};
}

// run(tiles) for all tiles, those that other ranks need first; the others while messages with three matrices per site
// of these fields are under way.
template <class F, class Field, class... Fields>
void while_exchanging(Reach reach, const F& run, const Field& field, const Fields&... more) {
  const Lattice& lattice = field.lattice();
  const TilesApart tiles = tiles_apart(lattice);
  run(tiles.surface);
  const HaloPart parts[]{part_of_links(field, 0, sides), part_of_links(more, 0, sides)...};
  ExchangeUnderWay ghosts(lattice, Halo::both, reach, Faces::all, parts);
  run(tiles.inside);
  ghosts.finish();
}

// to_nu = S_nu[A]
template <class A, class T, int W>
void find_staples(int mu, const GaugeField<T, W>& u, const A& a, const GaugeField<T, W>& to, const TileSet& tiles) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), out = to.access();
  for_each_link(
      cost_of("staples of fat links", u, 4 + 3, 12), u.lattice(), tiles,
      TRELLIS_KERNEL(int tile, int following, int k) {
        if (k == sides) return;
        out.prefetch(following, k, 4);
        prefetch_staples(links, a, following, mu, side_of(mu, k));
        Matrix<S> sum = Matrix<S>::zero();
        add_staples(links, a, tile, mu, side_of(mu, k), sum);
        out.set_link(tile, k, sum);
      });
}

// to_nu = c3 A + N_nu of the staples; three_links is c3.
template <class A, class T, int W>
void find_middle(const FatLinkCoefficients& c, double three_links, int mu, const GaugeField<T, W>& u, const A& a,
                 const GaugeField<T, W>& staples, const GaugeField<T, W>& to, const TileSet& tiles) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), inner = staples.access(), out = to.access();
  const T one = T(three_links), two = T(c.five_links), three = T(c.seven_links), straight = T(c.lepage);
  for_each_link(
      cost_of("double staples of fat links", u, 4 + 3 + 3, 24), u.lattice(), tiles,
      TRELLIS_KERNEL(int tile, int following, int k) {
        if (k == sides) return;
        const int other = (k + 1) % sides, third = (k + 2) % sides;
        out.prefetch(following, k, 4);
        prefetch_staples(links, MatrixOf<T, W>{inner, third}, following, mu, side_of(mu, other));
        prefetch_staples(links, MatrixOf<T, W>{inner, other}, following, mu, side_of(mu, third));
        Matrix<S> sum = Matrix<S>::zero();
        add_staples(links, MatrixOf<T, W>{inner, third}, tile, mu, side_of(mu, other), sum);
        add_staples(links, MatrixOf<T, W>{inner, other}, tile, mu, side_of(mu, third), sum);
        sum = fma(S(two), inner.link(tile, other) + inner.link(tile, third), S(three) * sum);
        sum = fma(S(straight), inner.link(tile, k), sum);
        out.set_link(tile, k, fma(S(one), a(tile), sum));
      });
}

}  // namespace trellis::gauge::improved_detail
