// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links from the bytes of complete sites, as most formats store them: checksums, decoding and the checks of every link,
// in all threads.

#include <cstddef>
#include <cstdint>
#include <span>

#include "trellis/core/base/function_ref.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/io/link_checks.hpp"

namespace trellis::io {

// number(n): the number in the complete lattice of the n-th of these sites; called by several threads. Fills `links`,
// four for each site, in order, and adds them to the checks.
void decode_sites(const GaugeFileInfo& info, const FunctionRef<std::int64_t(std::int64_t n)>& number,
                  std::span<const std::byte> bytes, std::span<Link> links, LinkChecks& checks);

// The checks alone, for links that were decoded in another order.
void check_links(std::span<const Link> links, LinkChecks& checks);

}  // namespace trellis::io
