// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/spaces.hpp"

#include "trellis/core/backend/threads/pool.hpp"
#include "trellis/core/error.hpp"

#if defined(TRELLIS_HAS_OPENMP)
#include <omp.h>
#endif

namespace trellis {

#if defined(TRELLIS_HAS_OPENMP)
int OpenMP::concurrency() { return omp_get_max_threads(); }
#endif

#if !defined(TRELLIS_DEVICE_BACKEND)
void fence() {}  // host spaces never leave work behind
#endif

int concurrency() { return DefaultHostExecutionSpace::concurrency(); }

void set_thread_count(int count) {
  if (count < 1) fail_input("thread count is {}; it must be at least 1", count);
  backend::set_pool_threads(count);
#if defined(TRELLIS_HAS_OPENMP)
  omp_set_num_threads(count);
#endif
}

}  // namespace trellis
