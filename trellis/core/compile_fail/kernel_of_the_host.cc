// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A kernel in a host space cannot access device memory.
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Space = trellis::CudaSpace;
#else
using Space = trellis::CudaHostPinnedSpace;
#endif

void scale(const trellis::View<double*, Space>& line) {
  trellis::parallel_for("scale", trellis::RangePolicy<trellis::Serial>(0, line.extent(0)),
                        [=](trellis::Index i) { line(i) *= 2; });
}
