// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What is read through a cache cannot be updated.
#include "trellis/core/view.hpp"

#if defined(MUST_FAIL)
using Numbers = trellis::View<const double*, trellis::HostSpace, trellis::RandomAccess, trellis::Atomic>;
#else
using Numbers = trellis::View<const double*, trellis::HostSpace, trellis::Restrict, trellis::Atomic>;
#endif

double third(const Numbers& numbers) { return numbers(3); }
