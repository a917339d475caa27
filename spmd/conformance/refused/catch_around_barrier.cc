// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A function that catches exceptions around a barrier.
#include "trellis/core/nd_range.hpp"

namespace {

int may_throw(int x) { return x > 3 ? throw x : x; }

int wait(const trellis::nd_item<1>& item, int x) {
  try {
    item.barrier();
    return may_throw(x);
  } catch (...) {  // refused-line
    return 0;
  }
}

}  // namespace

void launch(int* out) {
  using namespace trellis;
  parallel_for(
      "catch", nd_range<1>{64, 8}.by(work_items<WorkItems::fission_or_continuations>),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept { out[item.global_id()] = wait(item, out[item.global_id()]); });
}
