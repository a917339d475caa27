// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels on Kokkos' host spaces: Kokkos gives each of its threads one contiguous part of the work, in order; within a
// part the code of every host space of Trellis runs, so that loops are vectorised, and reductions and scans have the
// same bits as there. The caller waits, and gets the exception of the lowest part that threw.

#include <algorithm>

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/first_exception.hpp"
#include "trellis/core/backend/host_team.hpp"
#include "trellis/core/backend/kokkos/spaces.hpp"
#include "trellis/core/backend/simd_register.hpp"

namespace trellis::backend {

// Calls f(first, last) for parts that cover the work.
template <class Space, class F>
void over_kokkos_parts(const Space& instance, const char* name, Index work, const F& f) {
  using Range = ::Kokkos::RangePolicy<Space, ::Kokkos::IndexType<Index>, ::Kokkos::Schedule<::Kokkos::Static>>;
  const Index parts = std::min<Index>(work, instance.concurrency());
  FirstException failure;
  ::Kokkos::parallel_for(name, Range(instance, 0, parts), [&f, &failure, work, parts](Index part) {
    const Index share = work / parts;
    const Index extra = work % parts;  // the first `extra` parts have one more
    const Index first = part * share + std::min(part, extra);
    try {
      const InKernel inside;
      f(first, first + share + (part < extra ? 1 : 0));
      stream_fence();
    } catch (...) {
      failure.keep(static_cast<int>(part));
    }
  });
  instance.fence();
  failure.rethrow();
}

template <class Space, class Policy, class F>
void host_for(const Space& instance, const char* name, const Policy& policy, const F& f) {
  over_kokkos_parts(instance, name, policy.work(), [&](Index first, Index last) { policy.run(first, last, f); });
}

// over_chunks(count, g) and over_teams(count, team_size, scratch_bytes, g) of chunks.hpp; a team is one thread.
template <class Space>
auto in_kokkos(const Space& instance, const char* name) {
  return [&instance, name](Index count, const auto& g) { over_kokkos_parts(instance, name, count, g); };
}
template <class Space>
auto in_kokkos_teams(const Space& instance, const char* name) {
  return [&instance, name](Index count, int, std::size_t scratch_bytes, const auto& g) {
    over_kokkos_parts(instance, name, count, [&](Index first, Index last) {
      TeamShared shared(1, scratch_bytes);
      g(first, last, 0, shared);
    });
  };
}

template <class Space, class Exec, class... P, class F>
void host_for(const Space& instance, const char* name, const TeamPolicy<Exec, P...>& policy, const F& f) {
  for_teams(in_kokkos_teams(instance, name), policy, f);
}

template <class Space, class Policy, class F, class R>
typename R::value_type host_reduce(const Space& instance, const char* name, const Policy& policy, const F& f,
                                   const R& reducer) {
  return reduce_chunks(in_kokkos(instance, name), policy, f, reducer);
}
template <class Space, class Exec, class... P, class F, class R>
typename R::value_type host_reduce(const Space& instance, const char* name, const TeamPolicy<Exec, P...>& policy,
                                   const F& f, const R& reducer) {
  return reduce_teams(in_kokkos_teams(instance, name), policy, f, reducer);
}

}  // namespace trellis::backend
