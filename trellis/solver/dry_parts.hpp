// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Solvers go on with smaller fields once half of the right-hand sides have converged. When that happens depends on
// numbers, which a dry run (core/runtime/dry_run.hpp) does not have; so it goes through all parts, whose memory a run
// may need.

#include <numeric>

#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/solver/progress.hpp"

namespace trellis::solver::detail {

// Makes all right-hand sides active and returns the places of the first half, none if there is only one.
inline std::vector<int> next_dry_part(std::vector<Progress>& progress) {
  std::vector<int> places(progress.size() / 2);
  std::iota(places.begin(), places.end(), 0);
  for (Progress& one : progress) one.start(1);
  return places;
}

}  // namespace trellis::solver::detail
