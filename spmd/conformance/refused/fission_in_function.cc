// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The loop that fission cannot split is in a function; the error also says where the kernel calls it.
#include "trellis/core/nd_range.hpp"

namespace {

template <class Item>
void leave_one_by_one(const Item& item, int* out, trellis::Index turns) noexcept {
  for (trellis::Index k = 0; k < turns + item.local_id(); ++k) {  // refused-line
    if (k < turns) item.barrier();
    out[item.global_id()] += 1;
  }
}

}  // namespace

void launch(int* out, trellis::Index turns) {
  using namespace trellis;
  parallel_for(
      "function", nd_range<1>{64, 8}.by(work_items<WorkItems::fission>),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept { leave_one_by_one(item, out, turns); });
}
