// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/site_bytes.hpp"

#include <algorithm>
#include <mutex>

#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/formats/link_algebra.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t sites_a_task = 64;

}  // namespace

void decode_sites(const GaugeFileInfo& info, const FunctionRef<std::int64_t(std::int64_t)>& number,
                  std::span<const std::byte> bytes, std::span<Link> links, LinkChecks& checks) {
  const std::size_t link_size = link_bytes(1, info.rows, info.precision) / 4;
  const auto sites = static_cast<std::int64_t>(links.size() / 4);
  std::mutex mutex;
  parallel_for(
      {"links from file", double(bytes.size()) + double(links.size_bytes())},
      RangePolicy<DefaultHostExecutionSpace>(0, (sites + sites_a_task - 1) / sites_a_task), [&](Index task) {
        const std::int64_t begin = task * sites_a_task, end = std::min(begin + sites_a_task, sites);
        auto own = checks.empty_copy();
        for (std::int64_t n = begin; n < end; ++n) {
          const std::int64_t site = number(n);
          const auto raw = bytes.subspan(static_cast<std::size_t>(n) * 4 * link_size, 4 * link_size);
          own.add_bytes(site, raw.size(), raw);
          for (std::size_t mu = 0; mu < 4; ++mu) {
            Link& link = links[static_cast<std::size_t>(n) * 4 + mu];
            link.site = site;
            link.mu = static_cast<int>(mu);
            decode_link(raw.data() + mu * link_size, info.rows, info.precision, info.byte_order, link.u);
          }
        }
        own.add_links(links.subspan(static_cast<std::size_t>(begin) * 4, static_cast<std::size_t>(end - begin) * 4));
        const std::lock_guard lock(mutex);
        checks.add(own);
      });
}

void check_links(std::span<const Link> links, LinkChecks& checks) {
  constexpr std::size_t at_once = 4 * static_cast<std::size_t>(sites_a_task);
  std::mutex mutex;
  parallel_for({"links from file", double(links.size_bytes())},
               RangePolicy<DefaultHostExecutionSpace>(0, static_cast<Index>((links.size() + at_once - 1) / at_once)),
               [&](Index task) {
                 const auto begin = static_cast<std::size_t>(task) * at_once;
                 auto own = checks.empty_copy();
                 own.add_links(links.subspan(begin, std::min(at_once, links.size() - begin)));
                 const std::lock_guard lock(mutex);
                 checks.add(own);
               });
}

}  // namespace trellis::io
