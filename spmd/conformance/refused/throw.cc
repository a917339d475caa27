// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A kernel that throws: it is noexcept, but the compiler accepts that.
#include "trellis/core/nd_range.hpp"

void launch(int* out) {
  using namespace trellis;
  parallel_for(
      "throw", nd_range<1>{64, 8}.by(work_items<WorkItems::continuations>),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        item.barrier();
        if (out[item.global_id()] == 0) throw 1;  // refused-line
      });
}
