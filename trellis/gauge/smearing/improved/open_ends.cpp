// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/open_ends.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

// to_k += c from_k, or c from_k^dagger, on the first and the last slice.
template <class T, int W>
void add_at_ends(double c, const GaugeField<T, W>& from, bool adjoint_of_it, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const Lattice& lattice = to.lattice();
  for (const int t : {0, lattice.size(3) - 1}) {
    const TimeSlice slice(lattice, t);
    const auto links = from.access(), out = to.access();
    const T weight = T(c);
    for_each_tile(
        "links at open boundaries", lattice, TRELLIS_KERNEL(int tile) {
          const mask_t<S> here = slice.template lanes_of<S>(tile);
          if (!any(here)) return;
          const S scale = select(here, S(weight), S(T(0)));
          for (int k = 0; k < 3; ++k) {
            const Matrix<S> link = links.link(tile, k);
            out.set_link(tile, k, fma(scale, adjoint_of_it ? adjoint(link) : link, out.link(tile, k)));
          }
        });
  }
}

}  // namespace

template <class T, int W>
void correct_fat_links(const FatLinkCoefficients& c, const GaugeField<T, W>& u, const GaugeField<T, W>& fat) {
  if (c.lepage == 0) return;
  add_at_ends(c.lepage, u, false, fat);
  fat.exchange(Reach::corners);
}

template <class T, int W>
void correct_gradient(const FatLinkCoefficients& c, const GaugeField<T, W>& by_fat, const GaugeField<T, W>& gradient) {
  if (c.lepage != 0) add_at_ends(c.lepage, by_fat, true, gradient);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                \
  template void correct_fat_links(const FatLinkCoefficients&, const GaugeField<T, W>&, const GaugeField<T, W>&); \
  template void correct_gradient(const FatLinkCoefficients&, const GaugeField<T, W>&, const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
