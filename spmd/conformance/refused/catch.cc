// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A kernel that catches an exception from a function without a barrier; it may do so only inside a separate function.
#include "trellis/core/nd_range.hpp"

int may_throw(int x);

void launch(int* out) {
  using namespace trellis;
  parallel_for(
      "catch", nd_range<1>{64, 8}.by(work_items<WorkItems::continuations>),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        try {
          out[item.global_id()] = may_throw(3);
        } catch (int) {  // refused-line
          out[item.global_id()] = 0;
        }
      });
}
