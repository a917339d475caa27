// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/spaces.hpp"

#if defined(TRELLIS_HAS_OPENMP)
#include <omp.h>

#include "trellis/core/backend/openmp/threads.hpp"

namespace trellis::backend {

HostThreads host_threads(const OpenMP&) {
  return {&OpenMP::concurrency, [](int count, FunctionRef<void(int thread, int threads)> body) {
#pragma omp parallel default(none) firstprivate(body) num_threads(count)
            body(omp_get_thread_num(), omp_get_num_threads());
          }};
}

}  // namespace trellis::backend

#endif
