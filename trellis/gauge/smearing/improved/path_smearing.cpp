// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/path_smearing.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/improved/path_kernels.hpp"
#include "trellis/gauge/streaming.hpp"

namespace trellis::gauge {

using improved_detail::MatrixOf, improved_detail::side_of;

template <class T, int W>
void PathWork<T, W>::require_links(const Lattice& lattice) {
  if (staples.is_allocated() && staples.lattice() == lattice) return;
  staples = GaugeField<T, W>(lattice, "staples of fat links");
  middle = GaugeField<T, W>(lattice, "double staples of fat links");
}

namespace {

template <class T, int W>
void find_fat_links(const FatLinkCoefficients& c, int mu, const GaugeField<T, W>& u, const GaugeField<T, W>& middle,
                    const GaugeField<T, W>& fat) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), inner = middle.access(), out = fat.access();
  const T one_link = T(improved_detail::one_link_of(c));
  const Kernel kernel = improved_detail::cost_of("fat links", u, 4 + 3 + 1, 12);
  for_each_tile(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, int following) {
        Matrix<S> sum = S(one_link) * links.link(tile, mu);
        for (int k = 0; k < 3; ++k) {
          improved_detail::prefetch_staples(links, MatrixOf<T, W>{inner, k}, following, mu, side_of(mu, k));
          improved_detail::add_staples(links, MatrixOf<T, W>{inner, k}, tile, mu, side_of(mu, k), sum);
        }
        stream_link(out, tile, mu, sum);
      });
}

template <class T, int W>
void scale_links(double c, const GaugeField<T, W>& u, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), out = to.access();
  const T scale = T(c);
  for_each_link(
      improved_detail::cost_of("fat links without staples", u, 8, 0), u.lattice(),
      TRELLIS_KERNEL(int tile, int mu) { stream_link(out, tile, mu, S(scale) * links.link(tile, mu)); });
}

}  // namespace

template <class T, int W>
void make_fat_links(const FatLinkCoefficients& c, const GaugeField<T, W>& u, const GaugeField<T, W>& fat,
                    PathWork<T, W>& work) {
  if (!improved_detail::has_staples(c)) {
    scale_links(c.one_link, u, fat);
  } else {
    work.require_links(u.lattice());
    for (int mu = 0; mu < 4; ++mu) {
      using improved_detail::StaplesOf;
      const StaplesOf<MatrixOf<T, W>, T, W> of({u.access(), mu}, c, c.three_links, work.staples, work.middle);
      improved_detail::while_exchanging(
          Reach::near, [&](const TileSet& tiles) { improved_detail::find_staples(mu, u, of, tiles); }, work.staples);
      improved_detail::while_exchanging(
          Reach::near, [&](const TileSet& tiles) { improved_detail::find_middle(mu, u, of, tiles); }, work.middle);
      find_fat_links(c, mu, u, work.middle, fat);
    }
  }
  fat.exchange(Reach::corners);
}

template <class T, int W>
void make_long_links(double naik, const GaugeField<T, W>& u, const GaugeField<T, W>& long_links) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), out = long_links.access();
  const T scale = T(naik);
  for_each_link(
      improved_detail::cost_of("long links", u, 8, 8), u.lattice(), TRELLIS_KERNEL(int tile, int following, int mu) {
        const Neighbours& next = links.neighbours;
        links.prefetch_stencil(following, mu, 4, true);
        const Hop ahead = next(tile, mu);
        const Matrix<S> two = links.link(tile, mu) * links.link(ahead, mu);
        stream_link(out, tile, mu, S(scale) * (two * links.link(next(ahead, mu), mu)));
      });
  long_links.exchange(Reach::corners);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                            \
  template void PathWork<T, W>::require_links(const Lattice&);                                               \
  template void make_fat_links(const FatLinkCoefficients&, const GaugeField<T, W>&, const GaugeField<T, W>&, \
                               PathWork<T, W>&);                                                             \
  template void make_long_links(double, const GaugeField<T, W>&, const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
