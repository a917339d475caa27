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
  add_bodies(to->single);
  add_bodies(to->double_);
}
