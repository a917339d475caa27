// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/defect/translation.hpp"

#include <utility>

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

// to_mu(x) = from_mu(x + step)
template <int W>
void translate_once(int step, const GaugeField<double, W>& from, const GaugeField<double, W>& to) {
  const auto in = from.access(), out = to.access();
  for_each_tile(
      {"translate links", bytes_of(from, to)}, from.lattice(), TRELLIS_KERNEL(int tile) {
        const Hop there = in.neighbours(tile, step);
        for (int mu = 0; mu < 4; ++mu) out.set_link(tile, mu, in.link(there, mu));
      });
  to.exchange(Reach::near);
}

}  // namespace

template <int W>
void translate(const Coordinate& steps, GaugeField<double, W>& u, GaugeField<double, W>& work) {
  for (int mu = 0; mu < 4; ++mu) {
    const int extent = u.lattice().size(mu), ahead = (steps[mu] % extent + extent) % extent;
    const bool forward = 2 * ahead <= extent;
    for (int n = 0; n < (forward ? ahead : extent - ahead); ++n) {
      translate_once(forward ? mu : backward(mu), u, work);
      std::swap(u, work);
    }
  }
  u.exchange(Reach::corners);
}

#define TRELLIS_INSTANTIATE(W) \
  template void translate<W>(const Coordinate&, GaugeField<double, W>&, GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
