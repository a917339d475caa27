// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/link_halo.hpp"

#include "trellis/core/lanes.hpp"

namespace trellis::gauge {

template <class T, int W>
HaloPart part_of_links(const GaugeField<T, W>& u, int first, int count) {
  constexpr int words_of_link = 18 / lane_group;
  HaloPart part = plain_part(u.view().data(), int(sizeof(T)) * lane_group, 4 * words_of_link);
  part.option = first * words_of_link;
  part.sent_words = count * words_of_link;
  return part;
}

template <class T, int W>
void exchange_direction(const GaugeField<T, W>& u, int mu, Reach reach) {
  const HaloPart part = part_of_links(u, mu, 1);
  exchange_parts(u.lattice(), Halo::both, reach, Faces::all, {&part, 1});
}

#define TRELLIS_INSTANTIATE(T, W)                                           \
  template HaloPart part_of_links<T, W>(const GaugeField<T, W>&, int, int); \
  template void exchange_direction<T, W>(const GaugeField<T, W>&, int, Reach reach);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
