// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/registers/bodies_definition.hpp"

namespace trellis::bench::study {

void add_virtual_node_bodies(CompiledBodies<float>& to) {
  add_around_native_lanes<float, Filling::virtual_nodes>(to);
  constexpr BodyChoice native{.filling = Filling::virtual_nodes, .lanes = simd<float, 64>::native};
  add_full_and_two_rows<float, with(native, NeighbourSource::computed)>(to);
}

}  // namespace trellis::bench::study
