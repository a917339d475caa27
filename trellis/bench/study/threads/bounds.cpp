// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/threads/bodies_definition.hpp"

namespace trellis::bench::study {

void add_launch_bounds_of_threads(CompiledBodies<float>& to) {
  constexpr BodyChoice one;
  constexpr BodyChoice nodes{.filling = Filling::virtual_nodes, .lanes = 16, .complex = ComplexForm::interleaved};
  add_in_order_of_memory<float, with_least_blocks(one, 4), with_least_blocks(one, 8), with_least_blocks(nodes, 4),
                         with_least_blocks(nodes, 8)>(to);
}

}  // namespace trellis::bench::study
