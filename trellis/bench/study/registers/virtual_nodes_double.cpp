// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/registers/bodies_definition.hpp"

namespace trellis::bench::study {

void add_virtual_node_bodies(CompiledBodies<double>& to) {
  add_around_native_lanes<double, Filling::virtual_nodes>(to);
}

}  // namespace trellis::bench::study
