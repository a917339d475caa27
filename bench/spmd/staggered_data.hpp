// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fields for D_eo (trellis/dirac/staggered/staggered.hpp) on random links, with as many lanes as fill a register, and
// what the library's operator makes of them.

#include <string>
#include <vector>

#include "trellis/core/backend/simd_register.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"

namespace trellis::bench::spmd {

inline constexpr int staggered_vectors = 8, staggered_each = 2;  // of a site, and of a work-item
inline constexpr int staggered_lanes = has_lane_count<double>(8)   ? 8
                                       : has_lane_count<double>(4) ? 4
                                       : has_lane_count<double>(2) ? 2
                                                                   : 1;

struct StaggeredData {
  explicit StaggeredData(Index items);  // about this many vectors at even sites
  void run_production() const;
  void spoil() const;
  // Empty, or where `out` differs from what the operator gives, in any bit.
  std::string check() const;

  Lattice lattice;
  dirac::StaggeredLinks<double, staggered_lanes> links;
  dirac::HopTable<double, staggered_lanes> table;
  ColourVectorField<double, staggered_lanes> in, out, expected;
};

// Sizes of groups: multiples of the work-items of a tile.
std::vector<int> staggered_groups();

}  // namespace trellis::bench::spmd
