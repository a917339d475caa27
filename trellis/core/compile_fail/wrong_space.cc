// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A kernel can require that its space can access its Views; a functor written for one space runs in no other.
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Space = trellis::CudaSpace;
#else
using Space = trellis::HostSpace;
#endif

template <class Exec, class V>
void launch(const V& view) {
  trellis::require_access<Exec, V>();
  trellis::parallel_for("kernel", trellis::RangePolicy<Exec>(0, 1), [=](trellis::Index) { static_cast<void>(view); });
}

void run(const trellis::View<double*, trellis::LayoutRight, Space>& view) { launch<trellis::Serial>(view); }
