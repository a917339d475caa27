// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/host_threads/over_threads.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "trellis/core/backend/first_exception.hpp"
#include "trellis/core/backend/simd_register.hpp"
#include "trellis/core/backend/threads/follow_binding.hpp"

namespace trellis::backend {
namespace {

// Which parts of the work one taker gets: a thread, or the threads of a team together.
class Parts {
 public:
  Parts(Index work, const Distribution& how, int takers) : work_(work), how_(how) {
    if (how_.dynamic && how_.chunk == 0) how_.chunk = std::max<Index>(1, work / (16 * Index{takers}));
  }

  // Calls f(first, last) for each part of `taker`. next() returns where a chunk begins that nobody else has.
  template <class Next, class F>
  void each(int taker, int takers, const Next& next, const F& f) const {
    if (how_.dynamic) {
      for (Index first = next(how_.chunk); first < work_; first = next(how_.chunk)) {
        f(first, std::min(work_, first + how_.chunk));
      }
    } else if (how_.chunk > 0) {
      const Index step = how_.chunk * takers;
      for (Index first = how_.chunk * taker; first < work_; first += step) {
        f(first, std::min(work_, first + how_.chunk));
      }
    } else {
      const Index share = work_ / takers;
      const Index extra = work_ % takers;  // the first `extra` parts have one more
      const Index first = taker * share + std::min<Index>(taker, extra);
      const Index last = first + share + (taker < extra ? 1 : 0);
      if (first < last) f(first, last);
    }
  }

 private:
  Index work_;
  Distribution how_;
};

}  // namespace

void over_threads(const HostThreads& threads, Index work, const Distribution& how, PartOfWork f) {
  FirstException failure;
  std::atomic<Index> taken = 0;
  const int available = threads.concurrency();
  const Parts parts(work, how, available);
  const auto next = [&taken](Index chunk) { return taken.fetch_add(chunk, std::memory_order_relaxed); };
  threads.run(available, [&](int thread, int count) {
    if (count > 1) follow_binding(thread, available);
    Index begun = 0;
    try {
      const InKernel inside;
      parts.each(thread, count, next, [&](Index first, Index last) {
        begun = first;
        f(first, last);
      });
      stream_fence();
    } catch (...) {
      failure.keep(begun);
    }
  });
  failure.rethrow();
}

void over_teams(const HostThreads& threads, Index work, int team_size, std::size_t scratch_bytes,
                const Distribution& how, PartOfTeams f) {
  if (team_size == 1) {
    over_threads(threads, work, how, [&](Index first, Index last) {
      TeamShared shared(1, scratch_bytes);
      f(first, last, 0, shared);
    });
    return;
  }
  const int available = threads.concurrency(), most = available / team_size;
  std::vector<std::unique_ptr<TeamShared>> shared;
  for (int team = 0; team < most; ++team) shared.push_back(std::make_unique<TeamShared>(team_size, scratch_bytes));
  FirstException failure;
  std::atomic<Index> taken = 0;
  const Parts parts(work, how, std::max(1, most));
  threads.run(std::max(1, most * team_size), [&](int thread, int count) {
    if (count > 1) follow_binding(thread, available);
    const int teams = std::min(most, count / team_size);
    const int team = thread / team_size, rank = thread % team_size;
    Index begun = team;
    try {
      if (teams == 0) fail("a team of {} threads, where there are {}", team_size, count);
      if (team < teams) {
        const InKernel inside;
        TeamShared& own = *shared[static_cast<std::size_t>(team)];
        // One thread takes a chunk for the team.
        const auto next = [&](Index chunk) {
          if (rank == 0) own.slot<Index>(0) = taken.fetch_add(chunk, std::memory_order_relaxed);
          own.barrier();
          const Index first = own.slot<Index>(0);
          own.barrier();
          return first;
        };
        parts.each(team, teams, next, [&](Index first, Index last) {
          begun = first;
          f(first, last, rank, own);
        });
        stream_fence();
      }
    } catch (const TeamGivesUp&) {
    } catch (...) {
      failure.keep(begun * team_size + rank);
      if (team < teams) shared[static_cast<std::size_t>(team)]->give_up();
    }
  });
  failure.rethrow();
}

}  // namespace trellis::backend
