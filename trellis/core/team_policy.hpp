// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work in two levels: a league of teams, and a range that the threads of one team share.
//   parallel_for("rows", TeamPolicy<>(rows), [=](const TeamMember& team) {
//     parallel_for(TeamThreadRange(team, length), [&](Index i) { f(team.league_rank(), i); });
//   });
// The functor runs once in each thread of each team; what stands in a TeamThreadRange runs once for each index. On a
// host a team is one thread, and teams are divided over threads as the indices of a RangePolicy are. Host spaces only.

#include "trellis/core/policy.hpp"

namespace trellis {

class TeamMember {
 public:
  TeamMember(Index rank, Index size) : rank_(rank), size_(size) {}
  Index league_rank() const { return rank_; }
  Index league_size() const { return size_; }
  int team_rank() const { return 0; }
  int team_size() const { return 1; }

 private:
  Index rank_, size_;
};

template <ExecutionSpace Exec = DefaultHostExecutionSpace>
class TeamPolicy {
 public:
  static_assert(can_access<Exec, HostSpace>, "teams exist in host spaces only");
  using execution_space = Exec;

  explicit TeamPolicy(Index league_size) : league_size_(league_size) {}
  TeamPolicy(const Exec& space, Index league_size) : space_(space), league_size_(league_size) {}

  const Exec& space() const { return space_; }
  Index league_size() const { return league_size_; }
  Index work() const { return league_size_ > 0 ? league_size_ : 0; }

  template <class F>
  void run(Index first, Index last, const F& f) const {
    for (Index rank = first; rank < last; ++rank) f(TeamMember(rank, league_size_));
  }

 private:
  Exec space_{};
  Index league_size_;
};

// The indices 0 <= i < count, or begin <= i < end, that the threads of one team share.
class TeamThreadRange {
 public:
  TeamThreadRange(const TeamMember&, Index count) : begin_(0), end_(count) {}
  TeamThreadRange(const TeamMember&, Index begin, Index end) : begin_(begin), end_(end) {}
  Index begin() const { return begin_; }
  Index end() const { return end_; }

 private:
  Index begin_, end_;
};

template <class F>
TRELLIS_INLINE void parallel_for(const TeamThreadRange& range, const F& f) {
  for (Index i = range.begin(); i < range.end(); ++i) f(i);
}

}  // namespace trellis
