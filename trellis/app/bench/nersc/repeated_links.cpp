// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/nersc/repeated_links.hpp"

#include <algorithm>
#include <span>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {

template <int W>
AllLinks all_links(const GaugeField<double, W>& u) {
  AllLinks links{u.lattice().size(), std::vector<double>(static_cast<std::size_t>(72 * u.lattice().volume()))};
  io::link_source(u).source(0, links.numbers);
  return links;
}

void broadcast(const comm::Communicator& ranks, AllLinks& links) {
  std::size_t sites = 1;
  for (const int extent : links.size) sites *= static_cast<std::size_t>(extent);
  links.numbers.resize(72 * sites);
  constexpr std::size_t piece = std::size_t{1} << 24;  // numbers in a message
  const std::span<double> all(links.numbers);
  for (std::size_t n = 0; n < all.size(); n += piece)
    ranks.broadcast("the links of the start", std::as_writable_bytes(all.subspan(n, std::min(piece, all.size() - n))));
}

template <int W>
void repeat_links(const AllLinks& small, const GaugeField<double, W>& u) {
  const Lattice& lattice = u.lattice();
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (lattice.size()[mu] % small.size[mu] != 0)
      fail("a lattice of {} cannot be filled with links on {}", to_string(lattice.size()), to_string(small.size));
  const auto host = create_mirror_view(HostSpace{}, u.view());
  const Coordinate local = lattice.local_size(), origin = lattice.origin();
  const auto slices = static_cast<Index>(local[3]);
  parallel_for("repeat links", RangePolicy<DefaultHostExecutionSpace>(0, slices), [&](Index slice) {
    Coordinate x{};
    x[3] = origin[3] + static_cast<int>(slice);
    for (int k = 0; k < local[2]; ++k)
      for (int j = 0; j < local[1]; ++j)
        for (int i = 0; i < local[0]; ++i) {
          x[0] = origin[0] + i, x[1] = origin[1] + j, x[2] = origin[2] + k;
          std::int64_t from = 0;
          for (std::size_t mu = 4; mu-- > 0;) from = from * small.size[mu] + x[mu] % small.size[mu];
          const double* const numbers = small.numbers.data() + 72 * from;
          const std::int64_t to = lattice.index(x);
          for (int n = 0; n < 72; ++n) host(to, n / 18, n % 18 / 6, n % 6 / 2, n % 2) = numbers[n];
        }
  });
  if constexpr (!fields_on_host) deep_copy(u.view(), host);
  u.exchange();
}

#define TRELLIS_INSTANTIATE(W)                                    \
  template AllLinks all_links<W>(const GaugeField<double, W>& u); \
  template void repeat_links<W>(const AllLinks&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
