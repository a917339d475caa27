// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Views of different layouts do not convert: that would be a hidden copy.
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Layout = trellis::LayoutLeft;
#else
using Layout = trellis::LayoutRight;
#endif

trellis::View<const double**, trellis::LayoutRight> as_right(const trellis::View<double**, Layout>& view) { return view; }
