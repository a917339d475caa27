// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/containers/sort.hpp"

namespace trellis {

void sort_detail::require_same_length(const std::string& keys, Index count, const std::string& values, Index found) {
  if (found != count) fail("sort_by_key: {} keys '{}', but {} values '{}'", count, keys, found, values);
}

}  // namespace trellis
