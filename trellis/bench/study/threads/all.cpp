// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variant_module.hpp"

namespace trellis::bench::study {

void add_bodies(CompiledBodies<float>& to) {
  add_one_lane_by_threads(to);
  add_lanes_as_threads(to);
  add_layouts_of_threads(to);
  add_launch_bounds_of_threads(to);
}

void add_bodies(CompiledBodies<double>& to) {
  add_one_lane_by_threads(to);
  add_lanes_as_threads(to);
}

// Here the bodies are part of the program.
const WilsonVariantModule& wilson_variant_module() {
  static const WilsonVariantModule module = [] {
    WilsonVariantModule all;
    add_bodies(all.single);
    add_bodies(all.double_);
    return all;
  }();
  return module;
}

}  // namespace trellis::bench::study
