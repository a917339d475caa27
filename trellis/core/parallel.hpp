// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dispatch: parallel_for(name, policy, f) calls f(i) for every index of the policy, in no order, by the threads of the
// policy's execution space; parallel_for(name, n, f) for 0 <= i < n in the default space.
// f is called through a const reference and must not write what another index reads. An exception thrown by f in a host
// space reaches the caller, after every thread has stopped; other indices may or may not have run.
// Cost: an OpenMP region. Kernels of Cuda return before they ran: fence().

#include "trellis/core/backend/serial/parallel.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/policy.hpp"
#if defined(TRELLIS_HAS_OPENMP)
#include "trellis/core/backend/openmp/parallel.hpp"
#endif

namespace trellis {

template <class Policy>
concept ExecutionPolicy = requires {
  typename Policy::execution_space;
};

template <ExecutionPolicy Policy, class F>
void parallel_for(const char* name, const Policy& policy, const F& f) {
  if (policy.work() == 0) return;
  backend::run_for(policy.space(), name, policy, f);
}

template <std::integral N, class F>
void parallel_for(const char* name, N n, const F& f) {
  parallel_for(name, RangePolicy<>(0, static_cast<Index>(n)), f);
}

}  // namespace trellis
