// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels on Kokkos' host spaces: Kokkos gives out indices, tiles, teams or chunks; what is done with one is what every
// host space of Trellis does, in the same order, so that reductions and scans have the same bits as there.

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/kokkos/spaces.hpp"
#include "trellis/core/policy.hpp"

namespace trellis::backend {

// Calls f(i) for begin <= i < end.
template <class Space, class F>
void kokkos_for(const Space& instance, const char* name, Index begin, Index end, const F& f) {
  const ::Kokkos::RangePolicy<Space, ::Kokkos::IndexType<Index>> range(instance, begin, end);
  if constexpr (kokkos_waits<Space>) {
    const InKernel inside;  // the copies of f that Kokkos makes are gone before f is
    ::Kokkos::parallel_for(name, range, f);
  } else {
    ::Kokkos::parallel_for(name, range, f);
  }
}

template <class Policy, class F>
struct KokkosUnit {
  Policy policy;
  F f;
  void operator()(Index unit) const { policy.run(unit, unit + 1, f); }
};

template <class Space, class Policy, class F>
void host_for(const Space& instance, const char* name, const Policy& policy, const F& f) {
  kokkos_for(instance, name, 0, policy.work(), KokkosUnit<Policy, F>{policy, f});
}

// Kokkos' own loop over indices, which has nothing between it and f.
template <class Space, class Exec, class F>
void host_for(const Space& instance, const char* name, const RangePolicy<Exec>& policy, const F& f) {
  kokkos_for(instance, name, policy.begin(), policy.end(), f);
}

// over_chunks(count, g) of chunks.hpp; g is the caller's, which waits.
template <class Space>
auto kokkos_chunks(const Space& instance, const char* name) {
  return [&instance, name](Index count, const auto& g) {
    kokkos_for(instance, name, 0, count, [&g](Index chunk) { g(chunk, chunk + 1); });
    instance.fence();
  };
}

}  // namespace trellis::backend
