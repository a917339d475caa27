// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The kernel of an nd_range must be noexcept.
#include "trellis/core/nd_range.hpp"

#if defined(MUST_FAIL)
#define NOTHING_THROWN
#else
#define NOTHING_THROWN noexcept
#endif

void run() {
  using Range = trellis::nd_range<1, trellis::Serial>;
  trellis::parallel_for("kernel", Range{64, 64},
                        [](const trellis::nd_item<1>& item) NOTHING_THROWN { item.barrier(); });
}
