// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// OpenMP: each thread takes one contiguous part of the work, parts in the order of threads (so that first touch holds),
// and orders its streaming stores before the end of the loop.
// An exception leaves its thread's part undone, the others finish, and the caller gets that of the lowest part.

#include <omp.h>

#include <exception>
#include <mutex>

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/simd_register.hpp"

namespace trellis::backend {

// The exception of the lowest part that failed.
class FirstException {
 public:
  void keep(int part) {
    const std::lock_guard lock(mutex_);
    if (!held_ || part < part_) {
      held_ = std::current_exception();
      part_ = part;
    }
  }
  void rethrow() const {
    if (held_) [[unlikely]]
      std::rethrow_exception(held_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr held_;
  int part_ = 0;
};

// Calls f(first, last) in every thread that has work.
template <class F>
void over_threads(Index work, const F& f) {
  FirstException failure;
#pragma omp parallel default(none) shared(failure, f) firstprivate(work)
  {
    const int part = omp_get_thread_num();
    const Index parts = omp_get_num_threads();
    const Index share = work / parts;
    const Index extra = work % parts;  // the first `extra` parts hold one more
    const Index first = part * share + (part < extra ? part : extra);
    const Index last = first + share + (part < extra ? 1 : 0);
    try {
      if (first < last) f(first, last);
      stream_fence();
    } catch (...) {
      failure.keep(part);
    }
  }
  failure.rethrow();
}

template <class Policy, class F>
void run_for(const OpenMP&, const char*, const Policy& policy, const F& f) {
  over_threads(policy.work(), [&](Index first, Index last) { policy.run(first, last, f); });
}

inline constexpr auto in_threads = [](Index work, const auto& f) { over_threads(work, f); };

template <class Policy, class F, class R>
typename R::value_type run_reduce(const OpenMP&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return reduce_chunks(in_threads, policy, f, reducer);
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const OpenMP&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return scan_chunks(in_threads, policy, f, reducer);
}

}  // namespace trellis::backend
