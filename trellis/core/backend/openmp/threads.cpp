// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/spaces.hpp"

#if defined(TRELLIS_HAS_OPENMP)
#include <omp.h>
#include <pthread.h>

#include <atomic>

#include "trellis/core/backend/openmp/threads.hpp"
#include "trellis/core/backend/threads/pool.hpp"

namespace trellis::backend {
namespace {

// A process that was forked after its parent had threads: libgomp would wait for those for ever.
constinit std::atomic<bool> was_forked = false;

}  // namespace

HostThreads host_threads(const OpenMP&) {
  return {&OpenMP::concurrency, [](int count, FunctionRef<void(int thread, int threads)> body) {
            if (was_forked.load(std::memory_order_relaxed)) return host_threads(Threads()).run(count, body);
            if (count > 1) {
              static const int forks = ::pthread_atfork(nullptr, nullptr, [] { was_forked.store(true); });
              static_cast<void>(forks);
            }
#pragma omp parallel default(none) firstprivate(body) num_threads(count)
            body(omp_get_thread_num(), omp_get_num_threads());
          }};
}

}  // namespace trellis::backend

#endif
