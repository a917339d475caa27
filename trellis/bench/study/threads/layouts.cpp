// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/threads/bodies_definition.hpp"

namespace trellis::bench::study {

void add_layouts_of_threads(CompiledBodies<float>& to) {
  constexpr BodyChoice pairs{.filling = Filling::virtual_nodes, .lanes = 16, .complex = ComplexForm::interleaved};
  constexpr BodyChoice apart = with(pairs, ComplexForm::split);
  add_in_order_of_memory<float, apart, with(pairs, SiteLayout::left), with(pairs, SiteLayout::tiled),
                         with(apart, SiteLayout::left), with(apart, SiteLayout::tiled)>(to);
}

}  // namespace trellis::bench::study
