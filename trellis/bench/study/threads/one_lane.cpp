// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/threads/bodies_definition.hpp"

namespace trellis::bench::study {

namespace {

constexpr BodyChoice whole, two_rows = with(whole, LinkFormat::two_rows);

}  // namespace

void add_one_lane_by_threads(CompiledBodies<float>& to) {
  add_in_all_orders<float, whole, with(whole, SiteLayout::left)>(to);
  add_in_order_of_memory<float, two_rows, with(whole, SiteLayout::tiled)>(to);
}

void add_one_lane_by_threads(CompiledBodies<double>& to) { add_in_order_of_memory<double, whole, two_rows>(to); }

}  // namespace trellis::bench::study
