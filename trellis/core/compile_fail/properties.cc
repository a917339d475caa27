// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Each property may be given only once.
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Field = trellis::View<double**, trellis::LayoutLeft, trellis::HostSpace, trellis::LayoutRight>;
#else
using Field = trellis::View<double**, trellis::LayoutLeft, trellis::HostSpace>;
#endif

trellis::Index size(const Field& field) { return field.size(); }
