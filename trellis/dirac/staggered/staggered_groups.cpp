// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_groups.hpp"

namespace trellis::dirac {

int tiles_of_group(int tiles, int work_items_of_tile, std::size_t bytes_of_tile, int most_work_items) {
  const std::size_t memory = fields_on_host ? backend::largest_host_local : backend::largest_cuda_local;
  int together = std::max(1, most_work_items / work_items_of_tile);
  while (together > 1 && (tiles % together != 0 || std::size_t(together) * bytes_of_tile > memory)) --together;
  return together;
}

}  // namespace trellis::dirac
