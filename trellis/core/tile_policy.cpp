// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/tile_policy.hpp"

namespace trellis {

std::vector<double> values_of(std::span<const ExactSum> sums) {
  std::vector<double> values;
  values.reserve(sums.size());
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

void tile_detail::require_sums(const Kernel& kernel, int vectors, std::size_t sums) {
  if (vectors < 1 || vectors > maximum_sums || vectors != int(sums))
    fail("{}: {} sums for {} vectors; from 1 to {}", kernel.name, sums, vectors, maximum_sums);
}

}  // namespace trellis
