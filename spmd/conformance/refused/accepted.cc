// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Compiles: shows that the other files are not refused because of the command line.
#include "trellis/core/nd_range.hpp"

void launch(int* out) {
  using namespace trellis;
  parallel_for(
      "accepted", nd_range<1>{64, 8}.by(work_items<WorkItems::fission>),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        for (Index k = 0; k < 3; ++k) {
          out[item.global_id()] += 1;
          item.barrier();
        }
      });
}
