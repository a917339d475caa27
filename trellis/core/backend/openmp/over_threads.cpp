// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/parallel.hpp"

#if defined(TRELLIS_HAS_OPENMP)

namespace trellis::backend {

void over_threads(Index work, PartOfWork f) {
  FirstException failure;
#pragma omp parallel default(none) shared(failure) firstprivate(work, f)
  {
    const int part = omp_get_thread_num();
    const Index parts = omp_get_num_threads();
    const Index share = work / parts;
    const Index extra = work % parts;  // the first `extra` parts have one more
    const Index first = part * share + (part < extra ? part : extra);
    const Index last = first + share + (part < extra ? 1 : 0);
    try {
      const InKernel inside;
      if (first < last) f(first, last);
      stream_fence();
    } catch (...) {
      failure.keep(part);
    }
  }
  failure.rethrow();
}

}  // namespace trellis::backend

#endif
