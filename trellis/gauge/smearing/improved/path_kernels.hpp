// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels that links and derivatives of path_smearing.hpp share. Fields of staples hold three matrices per site,
// one for each side of a direction mu.

#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/smearing/improved/coefficients.hpp"
#include "trellis/gauge/smearing/improved/staples.hpp"
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

// Staples of matrices A in direction mu, and N of these (path_smearing.hpp), at the side k of a tile; c3 A is added to
// N.
template <class A, class T, int W>
struct StaplesOf {
  using S = lanes_t<T, W>;
  static constexpr int kinds = 1;
  A a;
  GaugeAccess<T, W> staples, middle;
  T c3, c5, c7, lepage;

  StaplesOf(const A& matrices, const FatLinkCoefficients& c, double three_links, const GaugeField<T, W>& to_staples,
            const GaugeField<T, W>& to_middle)
      : a(matrices),
        staples(to_staples.access()),
        middle(to_middle.access()),
        c3(T(three_links)),
        c5(T(c.five_links)),
        c7(T(c.seven_links)),
        lepage(T(c.lepage)) {}

  TRELLIS_INLINE void set_staples(const GaugeAccess<T, W>& u, int tile, int following, int mu, int k) const {
    staples.prefetch(following, k, 4);
    prefetch_staples(u, a, following, mu, side_of(mu, k));
    Matrix<S> sum = Matrix<S>::zero();
    add_staples(u, a, tile, mu, side_of(mu, k), sum);
    staples.set_link(tile, k, sum);
  }
  TRELLIS_INLINE void set_middle(const GaugeAccess<T, W>& u, int tile, int following, int mu, int k) const {
    const int other = (k + 1) % sides, third = (k + 2) % sides;
    const MatrixOf<T, W> of_other{staples, other}, of_third{staples, third};
    middle.prefetch(following, k, 4);
    prefetch_staples(u, of_third, following, mu, side_of(mu, other));
    prefetch_staples(u, of_other, following, mu, side_of(mu, third));
    Matrix<S> sum = Matrix<S>::zero();
    add_staples(u, of_third, tile, mu, side_of(mu, other), sum);
    add_staples(u, of_other, tile, mu, side_of(mu, third), sum);
    sum = fma(S(c5), of_other(tile) + of_third(tile), S(c7) * sum);
    sum = fma(S(lepage), staples.link(tile, k), sum);
    middle.set_link(tile, k, fma(S(c3), a(tile), sum));
  }
};

// Of two kinds of matrices, for which each link is read once.
template <class One, class Other>
struct StaplesOfBoth {
  static constexpr int kinds = 2;
  One one;
  Other other;
  template <class Links>
  TRELLIS_INLINE void set_staples(const Links& u, int tile, int following, int mu, int k) const {
    one.set_staples(u, tile, following, mu, k);
    other.set_staples(u, tile, following, mu, k);
  }
  template <class Links>
  TRELLIS_INLINE void set_middle(const Links& u, int tile, int following, int mu, int k) const {
    one.set_middle(u, tile, following, mu, k);
    other.set_middle(u, tile, following, mu, k);
  }
};

template <class T, int W, class Of>
void find_staples(int mu, const GaugeField<T, W>& u, const Of& of, const TileSet& tiles) {
  const auto links = u.access();
  for_each_link(
      cost_of("staples of fat links", u, 3 + 4 * Of::kinds, 12 * Of::kinds), u.lattice(), tiles,
      TRELLIS_KERNEL(int tile, int following, int k) {
        if (k < sides) of.set_staples(links, tile, following, mu, k);
      });
}
template <class T, int W, class Of>
void find_middle(int mu, const GaugeField<T, W>& u, const Of& of, const TileSet& tiles) {
  const auto links = u.access();
  for_each_link(
      cost_of("double staples of fat links", u, 3 + 7 * Of::kinds, 24 * Of::kinds), u.lattice(), tiles,
      TRELLIS_KERNEL(int tile, int following, int k) {
        if (k < sides) of.set_middle(links, tile, following, mu, k);
      });
}

}  // namespace trellis::gauge::improved_detail
