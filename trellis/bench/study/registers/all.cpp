// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variant_bodies.hpp"

namespace trellis::bench::study {

void add_bodies(CompiledBodies<float>& to) {
  add_scalar_bodies(to);
  add_virtual_node_bodies(to);
  add_right_hand_side_bodies(to);
  add_other_lane_counts(to);
}

void add_bodies(CompiledBodies<double>& to) {
  add_scalar_bodies(to);
  add_virtual_node_bodies(to);
  add_right_hand_side_bodies(to);
}

}  // namespace trellis::bench::study
