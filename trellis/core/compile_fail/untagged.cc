// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// With a work tag, a functor must take it as its first argument.
#include "trellis/core/parallel.hpp"

using namespace trellis;

struct Tag {};
struct Kernel {
#if defined(MUST_FAIL)
  void operator()(Index) const {}
#else
  void operator()(Tag, Index) const {}
#endif
};

void run() { parallel_for("nothing", RangePolicy<Serial, Tag>(0, 10), ::Kernel{}); }
