// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/threads/bodies_definition.hpp"

namespace trellis::bench::study {

namespace {

// The lanes that operators have, and the study's 16 right-hand sides.
constexpr BodyChoice nodes{.filling = Filling::virtual_nodes, .lanes = 16, .complex = ComplexForm::interleaved};
constexpr BodyChoice vectors{.filling = Filling::right_hand_sides, .lanes = 16, .complex = ComplexForm::interleaved};

constexpr BodyChoice in_lanes(BodyChoice base, int lanes) {
  base.lanes = lanes;
  return base;
}

}  // namespace

void add_lanes_as_threads(CompiledBodies<float>& to) {
  add_in_all_orders<float, nodes>(to);
  add_in_order_of_memory<float, with(nodes, LinkFormat::two_rows), in_lanes(nodes, 8), in_lanes(nodes, 32), vectors,
                         in_lanes(vectors, 8)>(to);
}

void add_lanes_as_threads(CompiledBodies<double>& to) {
  add_in_order_of_memory<double, nodes, with(nodes, LinkFormat::two_rows)>(to);
}

}  // namespace trellis::bench::study
