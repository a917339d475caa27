// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What dispatch (trellis/core/parallel.hpp) uses for KokkosExecution.

#include "trellis/core/backend/kokkos/host.hpp"
#include "trellis/core/backend/kokkos/team.hpp"

namespace trellis::backend {

template <auto Type>
void run_parts(const KokkosExecutionOf<Type>& space, const char* name, Index work, PartOfWork f) {
  over_kokkos_parts(space.instance(), name, work, f);
}

template <auto Type, class Policy, class F>
void run_for(const KokkosExecutionOf<Type>& space, const char* name, const Policy& policy, const F& f) {
  if constexpr (kokkos_runs_on_host<kokkos_type<Type>>) {
    host_for(space.instance(), name, policy, f);
  } else {
    device_for(space.instance(), name, policy, f);
  }
}

template <auto Type, class Policy, class F, class R>
typename R::value_type run_reduce(const KokkosExecutionOf<Type>& space, const char* name, const Policy& policy,
                                  const F& f, const R& reducer) {
  if constexpr (kokkos_runs_on_host<kokkos_type<Type>>) {
    return host_reduce(space.instance(), name, policy, f, reducer);
  } else {
    return device_reduce(space.instance(), name, policy, f, reducer);
  }
}

template <auto Type, class Policy, class F, class T, class R>
void run_reduce_array(const KokkosExecutionOf<Type>& space, const char* name, const Policy& policy, const F& f,
                      T* result, Index length, const R& reducer) {
  if constexpr (kokkos_runs_on_host<kokkos_type<Type>>) {
    reduce_array_chunks(in_kokkos(space.instance(), name), policy, f, result, length, reducer);
  } else {
    device_reduce_array(space.instance(), name, policy, f, result, length, reducer);
  }
}

template <auto Type, class Policy, class F, class R>
typename R::value_type run_scan(const KokkosExecutionOf<Type>& space, const char* name, const Policy& policy,
                                const F& f, const R& reducer) {
  if constexpr (kokkos_runs_on_host<kokkos_type<Type>>) {
    return scan_chunks(in_kokkos(space.instance(), name), policy, f, reducer);
  } else {
    return device_scan(space.instance(), name, policy, f, reducer);
  }
}

}  // namespace trellis::backend
