// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson_variant_bodies_definition.hpp"

namespace trellis::dirac {

void add_right_hand_side_bodies(CompiledBodies<double>& to) {
  add_around_native_lanes<double, Filling::right_hand_sides>(to);
}

void add_other_lane_counts(CompiledBodies<double>& to) {
  add_other_lanes<double, Filling::virtual_nodes, 4, 8, 16>(to);
  add_other_lanes<double, Filling::right_hand_sides, 16>(to);
}

}  // namespace trellis::dirac
