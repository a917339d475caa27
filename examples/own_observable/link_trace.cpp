// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/own_observable/link_trace.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace own_observable {

using namespace trellis;

namespace {

template <int W>
std::vector<double> link_traces(const GaugeField<double, W>& u) {
  using D = lanes_t<double, W>;  // the numbers of W sites
  const auto links = u.access();
  const auto sums = sum_over_tiles<D, 2>(
      {"own link trace", bytes_of(u)}, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        D in_space = D(0.0);
        for (int mu = 0; mu < 3; ++mu) in_space = in_space + trace(links.link(tile, mu)).re;
        out[0].add(in_space);
        out[1].add(trace(links.link(tile, 3)).re);
      });
  const double sites = double(u.lattice().volume());
  return {(sums[0] + sums[1]) / (12 * sites), sums[0] / (9 * sites), sums[1] / (3 * sites)};
}

}  // namespace

measure::Observable link_trace() {
  return measure::observable(
      {.name = "link_trace",
       .what = "average of Re tr U / 3 over all, spatial and temporal links",
       .columns = {{"link_trace", "link trace"}, {"link_trace_spatial"}, {"link_trace_temporal"}}},
      [](const auto& configuration) { return link_traces(configuration.links()); });
}

}  // namespace own_observable
