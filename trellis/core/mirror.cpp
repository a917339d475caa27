// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/mirror.hpp"

#include <algorithm>
#include <cstring>

namespace trellis {

void detail::copy_extents_differ(const Allocation* to, const Allocation* from, int r, Index found, Index expected) {
  fail("deep_copy of '{}' to '{}': extent of dimension {} is {}, that of the destination is {}", detail::label_of(from),
       detail::label_of(to), r, found, expected);
}

void copy_bytes(HostSpace, void* to, HostSpace, const void* from, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const auto pages = static_cast<Index>((bytes + page - 1) / page);
  parallel_for({"trellis::deep_copy", 2 * double(bytes)}, RangePolicy<DefaultHostExecutionSpace>(0, pages),
               [=](Index p) {
                 const std::size_t begin = static_cast<std::size_t>(p) * page;
                 std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                             std::min(page, bytes - begin));
               });
}

}  // namespace trellis
