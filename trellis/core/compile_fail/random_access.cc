// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A View with RandomAccess cannot be written to.
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Value = double;
#else
using Value = const double;
#endif

double read(const trellis::View<Value*, trellis::HostSpace, trellis::RandomAccess>& line) { return line(3); }
