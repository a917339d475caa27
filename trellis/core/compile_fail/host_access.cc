// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Host code cannot read device memory, nor assign a View of it to one of host memory.
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Space = trellis::CudaSpace;
#else
using Space = trellis::HostSpace;
#endif

double read(const trellis::View<double*, trellis::LayoutRight, Space>& line) { return line(0); }
