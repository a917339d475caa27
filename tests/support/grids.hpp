// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Process grids of all ranks of a test, in shapes that a lattice divides into.

#include "trellis/comm/process_grid.hpp"

namespace trellis::testing {

inline std::vector<comm::ProcessGrid> grids_of(const Coordinate& size) {
  const auto world = comm::Communicator::world();
  std::vector<comm::ProcessGrid> grids;
  for (const auto& choice : comm::possible_grids(size, world.size(), {})) grids.emplace_back(world, choice.extents);
  return grids;
}

// Some of them: the thinnest slabs, the first, and the last.
inline std::vector<comm::ProcessGrid> some_grids_of(const Coordinate& size, std::size_t most = 3) {
  auto grids = grids_of(size);
  std::vector<comm::ProcessGrid> some;
  for (std::size_t k = 0; k < grids.size() && some.size() < most; k += std::max<std::size_t>(1, grids.size() / most))
    some.push_back(grids[k]);
  return some;
}

}  // namespace trellis::testing
