// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A property of a policy may be given only once.
#include "trellis/core/parallel.hpp"

using namespace trellis;

#if defined(MUST_FAIL)
using Policy = RangePolicy<Serial, Schedule<Dynamic>, Schedule<Static>>;
#else
using Policy = RangePolicy<Serial, Schedule<Dynamic>>;
#endif

void run() {
  parallel_for("nothing", Policy(0, 10), [](Index) {});
}
