// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A barrier in a function that calls itself.
#include "trellis/core/nd_range.hpp"

namespace {

int descend(const trellis::nd_item<1>& item, int depth) noexcept {
  if (depth == 0) return 0;
  item.barrier();
  return 1 + descend(item, depth - 1);  // refused-line
}

}  // namespace

void launch(int* out, int depth) {
  using namespace trellis;
  parallel_for(
      "recursion", nd_range<1>{64, 8}.by(work_items<WorkItems::continuations>),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept { out[item.global_id()] = descend(item, depth); });
}
