// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/gauge_field_io.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::io {

namespace {

constexpr Index task_links = 256;

comm::Block block_of(const Lattice& lattice) { return {lattice.size(), lattice.origin(), lattice.local_size()}; }

// The coordinate of a site of this rank's block, given its number there.
Coordinate own_coordinate(const Lattice& lattice, std::int64_t number) {
  Coordinate x = lattice.origin();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] += static_cast<int>(number % lattice.local_size()[mu]);
    number /= lattice.local_size()[mu];
  }
  return x;
}

}  // namespace

template <class T, int W>
ChecksumReport read_links(const GaugeReader& reader, const std::filesystem::path& path, const GaugeField<T, W>& u) {
  const Lattice& lattice = u.lattice();
  if (reader.info().size != lattice.size())
    fail_input("{}: the lattice of the file is {}, expected {}", path.string(), to_string(reader.info().size),
               to_string(lattice.size()));
  require_no_open_boundary(path, reader);
  const auto host = create_mirror_view(HostSpace{}, u.view());
  const auto report = reader.read_block(block_of(lattice), [&](std::span<const Link> batch) {
    const auto links = static_cast<Index>(batch.size());
    parallel_for({"links to field", double(batch.size()) * (sizeof(Link) + 18 * sizeof(T))},
                 RangePolicy<DefaultHostExecutionSpace>(0, (links + task_links - 1) / task_links), [&](Index task) {
                   std::int64_t number = -1, site = 0;  // four links have the same
                   for (Index n = task * task_links; n < std::min((task + 1) * task_links, links); ++n) {
                     const Link& link = batch[static_cast<std::size_t>(n)];
                     if (link.site != number) site = lattice.index(lattice.coordinate(number = link.site));
                     for (int k = 0; k < 18; ++k)
                       host(site, link.mu, k / 6, k % 6 / 2, k % 2) = T(link.u[std::size_t(k)]);
                   }
                 });
  });
  require_no_open_boundary(path, reader, &report);
  if constexpr (!fields_on_host) deep_copy(u.view(), host);
  u.exchange();
  return report;
}

template <class T, int W>
GaugeField<T, W> load_gauge_field(const std::filesystem::path& path, const ReadOptions& options,
                                  const comm::ProcessGrid& grid) {
  const GaugeReader reader(path, options, grid.ranks());
  const GaugeField<T, W> u(Lattice(reader.info().size, W, SiteOrder::even_odd, {}, grid));
  read_links(reader, path, u);
  return u;
}

template <class T, int W>
FieldLinks link_source(const GaugeField<T, W>& u) {
  const auto host = create_mirror_view_and_copy(HostSpace{}, u.view());
  const auto source = [host, lattice = u.lattice()](std::int64_t first_site, std::span<double> out) {
    double* to = out.data();
    for (std::int64_t n = 0; n < std::int64_t(out.size() / 72); ++n) {
      const std::int64_t site = lattice.index(own_coordinate(lattice, first_site + n));
      for (int k = 0; k < 72; ++k) *to++ = host(site, k / 18, k % 18 / 6, k % 6 / 2, k % 2);
    }
  };
  return {u.lattice().ranks(), block_of(u.lattice()), source};
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                      \
  template ChecksumReport read_links<T, W>(const GaugeReader&, const std::filesystem::path&, const GaugeField<T, W>&); \
  template GaugeField<T, W> load_gauge_field<T, W>(const std::filesystem::path&, const ReadOptions&,                   \
                                                   const comm::ProcessGrid&);                                          \
  template FieldLinks link_source<T, W>(const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::io
