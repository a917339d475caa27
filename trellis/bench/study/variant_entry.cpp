// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The entry of the module trellis_wilson_variants.
#include "trellis/bench/study/variant_module.hpp"

std::string* trellis_wilson_variant_interface() {
  static std::string text = trellis::bench::study::wilson_variant_interface();
  return &text;
}

void trellis_add_wilson_variants(trellis::bench::study::WilsonVariantModule* to) {
  using namespace trellis::bench::study;
  add_scalar_bodies(to->single);
  add_virtual_node_bodies(to->single);
  add_right_hand_side_bodies(to->single);
  add_other_lane_counts(to->single);
  add_scalar_bodies(to->double_);
  add_virtual_node_bodies(to->double_);
  add_right_hand_side_bodies(to->double_);
}
