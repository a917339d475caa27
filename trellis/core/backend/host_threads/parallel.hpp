// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dispatch to the host spaces with threads: OpenMP and Threads. A space says what its threads are
// (over_threads.hpp) with a function host_threads(space).

#include <concepts>
#include <type_traits>

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/host_team.hpp"
#include "trellis/core/backend/host_threads/over_threads.hpp"
#if defined(TRELLIS_HAS_OPENMP)
#include "trellis/core/backend/openmp/threads.hpp"
#endif
#include "trellis/core/backend/threads/pool.hpp"

namespace trellis::backend {

template <class Exec>
concept ThreadedHost = requires(const Exec space) {
  { host_threads(space) } -> std::same_as<HostThreads>;
};

template <ThreadedHost Exec>
void run_parts(const Exec& space, const char*, Index work, PartOfWork f) {
  over_threads(host_threads(space), work, {}, f);
}

template <ThreadedHost Exec, class Policy, class F>
void run_for(const Exec& space, const char*, const Policy& policy, const F& f) {
  over_threads(host_threads(space), policy.work(), policy.distribution(), [&](Index first, Index last) {
    if constexpr (std::is_copy_constructible_v<F>) {
      // A private copy: its members stay in registers, whatever f writes.
      const F own = f;  // NOLINT(performance-unnecessary-copy-initialization)
      policy.template run<true>(first, last, own);
    } else {
      policy.template run<true>(first, last, f);
    }
  });
}

// over_chunks and over_teams of chunks.hpp. Chunks of a reduction are handed out one at a time.
template <class Policy>
auto in_threads(const HostThreads& threads, const Policy& policy) {
  return [threads, how = Distribution{policy.distribution().dynamic, policy.distribution().dynamic ? 1 : 0}](
             Index work, const auto& f) { over_threads(threads, work, how, f); };
}
inline auto in_teams(const HostThreads& threads, const Distribution& how) {
  return [threads, how](Index work, int team_size, std::size_t scratch_bytes, const auto& f) {
    over_teams(threads, work, team_size, scratch_bytes, how, f);
  };
}

template <ThreadedHost Exec, class... P, class F>
void run_for(const Exec& space, const char*, const TeamPolicy<Exec, P...>& policy, const F& f) {
  for_teams(in_teams(host_threads(space), policy.distribution()), policy, f);
}

template <ThreadedHost Exec, class Policy, class F, class R>
typename R::value_type run_reduce(const Exec& space, const char*, const Policy& policy, const F& f, const R& reducer) {
  return reduce_chunks(in_threads(host_threads(space), policy), policy, f, reducer);
}
template <ThreadedHost Exec, class... P, class F, class R>
typename R::value_type run_reduce(const Exec& space, const char*, const TeamPolicy<Exec, P...>& policy, const F& f,
                                  const R& reducer) {
  const bool dynamic = policy.distribution().dynamic;
  return reduce_teams(in_teams(host_threads(space), {dynamic, dynamic ? 1 : 0}), policy, f, reducer);
}

template <ThreadedHost Exec, class Policy, class F, class T, class R>
void run_reduce_array(const Exec& space, const char*, const Policy& policy, const F& f, T* result, Index length,
                      const R& reducer) {
  reduce_array_chunks(in_threads(host_threads(space), policy), policy, f, result, length, reducer);
}

template <ThreadedHost Exec, class Policy, class F, class R>
typename R::value_type run_scan(const Exec& space, const char*, const Policy& policy, const F& f, const R& reducer) {
  return scan_chunks(in_threads(host_threads(space), policy), policy, f, reducer);
}

}  // namespace trellis::backend
