// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/registers/bodies_definition.hpp"

namespace trellis::bench::study {

void add_other_lane_counts(CompiledBodies<float>& to) {
  add_other_lanes<float, Filling::virtual_nodes, 4, 8, 16, 32>(to);
  add_other_lanes<float, Filling::right_hand_sides, 2, 4, 8, 16, 32>(to);
  // The study's eight right-hand sides.
  if constexpr (simd<float, 64>::native != 8) {
    constexpr BodyChoice eight{.filling = Filling::right_hand_sides, .lanes = 8};
    add<float, eight>(to);
    add_other_layouts<float, eight>(to);
  }
}

}  // namespace trellis::bench::study
