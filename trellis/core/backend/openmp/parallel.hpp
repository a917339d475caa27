// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// OpenMP: each thread takes one contiguous part of the work, in the order of threads (so that first touch works), and
// completes its streaming stores before the end of the loop. If a thread throws, its part stays incomplete, the others
// finish, and the caller gets the exception of the lowest part.

#include <omp.h>

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/first_exception.hpp"
#include "trellis/core/backend/host_team.hpp"
#include "trellis/core/backend/simd_register.hpp"

namespace trellis::backend {

// Calls f(first, last) in every thread that has work.
void over_threads(Index work, PartOfWork f);

// Calls f(first, last, rank, shared) in every thread of every team that has work: as many teams at a time as the
// threads allow, each with a contiguous part.
template <class F>
void over_teams(Index work, int team_size, std::size_t scratch_bytes, const F& f) {
  if (team_size == 1) {
    over_threads(work, [&](Index first, Index last) {
      TeamShared shared(1, scratch_bytes);
      f(first, last, 0, shared);
    });
    return;
  }
  const int most = omp_get_max_threads() / team_size;
  std::vector<std::unique_ptr<TeamShared>> shared;
  for (int team = 0; team < most; ++team) shared.push_back(std::make_unique<TeamShared>(team_size, scratch_bytes));
  FirstException failure;
#pragma omp parallel num_threads(std::max(1, most* team_size))
  {
    const int thread = omp_get_thread_num();
    const int teams = std::min(most, omp_get_num_threads() / team_size);
    const int team = thread / team_size;
    try {
      if (teams == 0) fail("a team of {} threads, where OpenMP gives {}", team_size, omp_get_num_threads());
      if (team < teams) {
        const InKernel inside;
        f(work * team / teams, work * (team + 1) / teams, thread % team_size, *shared[team]);
        stream_fence();
      }
    } catch (const TeamGivesUp&) {
    } catch (...) {
      failure.keep(thread);
      if (team < teams) shared[team]->give_up();
    }
  }
  failure.rethrow();
}

inline void run_parts(const OpenMP&, const char*, Index work, PartOfWork f) { over_threads(work, f); }

template <class Policy, class F>
void run_for(const OpenMP&, const char*, const Policy& policy, const F& f) {
  over_threads(policy.work(), [&](Index first, Index last) {
    if constexpr (std::is_copy_constructible_v<F>) {
      // A private copy: its members stay in registers, whatever f writes.
      const F own = f;  // NOLINT(performance-unnecessary-copy-initialization)
      policy.template run<true>(first, last, own);
    } else {
      policy.template run<true>(first, last, f);
    }
  });
}

inline constexpr auto in_threads = [](Index work, const auto& f) { over_threads(work, f); };
inline constexpr auto in_teams = [](Index work, int team_size, std::size_t scratch_bytes, const auto& f) {
  over_teams(work, team_size, scratch_bytes, f);
};

template <class F>
void run_for(const OpenMP&, const char*, const TeamPolicy<OpenMP>& policy, const F& f) {
  for_teams(in_teams, policy, f);
}

template <class Policy, class F, class R>
typename R::value_type run_reduce(const OpenMP&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return reduce_chunks(in_threads, policy, f, reducer);
}
template <class F, class R>
typename R::value_type run_reduce(const OpenMP&, const char*, const TeamPolicy<OpenMP>& policy, const F& f,
                                  const R& reducer) {
  return reduce_teams(in_teams, policy, f, reducer);
}

template <class Policy, class F, class T, class R>
void run_reduce_array(const OpenMP&, const char*, const Policy& policy, const F& f, T* result, Index length,
                      const R& reducer) {
  reduce_array_chunks(in_threads, policy, f, result, length, reducer);
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const OpenMP&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return scan_chunks(in_threads, policy, f, reducer);
}

}  // namespace trellis::backend
