// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The study's example: work-items leave the loop at different times after the last barrier. Fission cannot split it.
#include "trellis/core/nd_range.hpp"

void launch(int* out, trellis::Index turns) {
  using namespace trellis;
  parallel_for(
      "study", nd_range<1>{64, 8}.by(work_items<WorkItems::fission>), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        for (Index k = 0; k < turns + item.local_id(); ++k) {  // refused-line
          if (k < turns) item.barrier();
          out[item.global_id()] += 1;
        }
      });
}
