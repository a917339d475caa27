// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hierarchical work: a league of teams, the threads of a team, the lanes of a thread.
//   TeamPolicy<> policy(teams);                          or (teams, team_size), (teams, AUTO, vector_length)
//   policy.set_scratch_size(scratch_bytes<double*>(64));
//   parallel_for("rows", policy, TRELLIS_LAMBDA(const TeamPolicy<>::Member& team) {
//     const auto line = team.template scratch<double*>(64);
//     parallel_for(TeamThreadRange(team, 64), [&](Index i) { line(i) = f(team.league_rank(), i); });
//     team.team_barrier();
//     double sum;
//     parallel_reduce(TeamVectorRange(team, 64), [&](Index i, double& s) { s += line(i); }, sum);
//     single(PerTeam(team), [&] { result(team.league_rank()) = sum; });
//   });
// The functor runs in each thread of each team, with the same arguments except team_rank(). Inside,
//   TeamThreadRange(team, [begin,] end)      distributes indices to the threads of the team
//   ThreadVectorRange(team, [begin,] end)    to the lanes of the calling thread
//   TeamVectorRange(team, [begin,] end)      to all lanes of all threads
// for parallel_for(range, f), parallel_reduce(range, f, result[, reducer]) and parallel_scan(range, f, total): every
// participating thread gets the result. parallel_for does not wait for the others: team_barrier() does, and all threads
// of a team must reach it. single(PerTeam(team), f) runs f in one thread of the team, single(PerThread(team), f) in one
// lane; single(..., f, value) calls f(value) and gives that value to all.
//
// On a host a team is one thread unless more are requested (at most concurrency(), and 1 in Serial), and lanes are
// those of its registers; teams are distributed to threads like the indices of a RangePolicy. On a GPU a team is a
// block. The bits of a reduction depend on the team size, for which AUTO depends only on the space, and not on how many
// threads run. Scratch memory is aligned to 64 bytes; requesting more than the policy has throws Error. Throws Error:
// league below 0, team size below 1 or above the space's maximum, vector length that is not a power of two up to 32,
// scratch above 48 KiB on a GPU.

#include "trellis/core/backend/host_team.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/reducers.hpp"
#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(team_member.hpp)
#endif

namespace trellis {

struct Auto {};
inline constexpr Auto AUTO;

// Bytes of scratch memory needed by team.scratch<DataType>(extents...).
template <class DataType, class... I>
std::size_t scratch_bytes(I... extents) {
  using V = View<DataType, LayoutRight, ScratchSpace>;
  const V shape(static_cast<typename V::value_type*>(nullptr), extents...);
  const auto bytes = static_cast<std::size_t>(shape.span()) * sizeof(typename V::value_type);
  return (bytes + backend::scratch_alignment - 1) / backend::scratch_alignment * backend::scratch_alignment;
}

template <ExecutionSpace Exec, class... Properties>
class TeamPolicy : public PolicyProperties<TeamPolicy<Exec, Properties...>, Properties...> {
  using Traits = backend::TeamTraits<Exec>;

 public:
  using execution_space = Exec;
  using Member = typename Traits::Member;

  explicit TeamPolicy(Index league_size) : TeamPolicy(Exec{}, league_size) {}
  TeamPolicy(Index league_size, Auto, int vector_length = 1) : TeamPolicy(Exec{}, league_size, AUTO, vector_length) {}
  TeamPolicy(Index league_size, int team_size, int vector_length = 1)
      : TeamPolicy(Exec{}, league_size, team_size, vector_length) {}
  TeamPolicy(const Exec& space, Index league_size, Auto = AUTO, int vector_length = 1)
      : TeamPolicy(space, league_size, std::max(1, Traits::default_size / std::max(1, vector_length)), vector_length) {}
  TeamPolicy(const Exec& space, Index league_size, int team_size, int vector_length = 1)
      : space_(space), league_size_(league_size), team_size_(team_size), vector_length_(vector_length) {
    if (league_size < 0) fail("TeamPolicy: a league of {} teams", league_size);
    if (vector_length < 1 || vector_length > 32 || (vector_length & (vector_length - 1)) != 0) {
      fail("TeamPolicy: vector length {}; it must be a power of two from 1 to 32", vector_length);
    }
    const int most = Traits::largest_size() / (can_access<Exec, HostSpace> ? 1 : vector_length);
    if (team_size < 1 || team_size > most) {
      fail("TeamPolicy: teams of {} threads; {} has teams of 1 to {}", team_size, Exec::name, most);
    }
  }

  TeamPolicy& set_scratch_size(std::size_t bytes) {
    if (bytes > Traits::largest_scratch) {
      fail("TeamPolicy: {} bytes of scratch memory a team; {} has {}", bytes, Exec::name, Traits::largest_scratch);
    }
    scratch_bytes_ = bytes;
    return *this;
  }

  const Exec& space() const { return space_; }
  TRELLIS_FUNCTION Index league_size() const { return league_size_; }
  TRELLIS_FUNCTION int team_size() const { return team_size_; }
  TRELLIS_FUNCTION int vector_length() const { return vector_length_; }
  TRELLIS_FUNCTION std::size_t scratch_size() const { return scratch_bytes_; }
  TRELLIS_FUNCTION Index work() const { return league_size_; }

 private:
  Exec space_;
  Index league_size_;
  int team_size_, vector_length_;
  std::size_t scratch_bytes_ = 0;
};

namespace detail {
template <class Member>
struct NestedRange {
  TRELLIS_FUNCTION NestedRange(const Member& of, Index count) : NestedRange(of, 0, count) {}
  TRELLIS_FUNCTION NestedRange(const Member& of, Index first, Index last) : member(of), begin(first), end(last) {}
  const Member& member;
  Index begin, end;
};
}  // namespace detail

template <class Member>
struct TeamThreadRange : detail::NestedRange<Member> {
  using detail::NestedRange<Member>::NestedRange;
};
template <class Member>
struct ThreadVectorRange : detail::NestedRange<Member> {
  using detail::NestedRange<Member>::NestedRange;
};
template <class Member>
struct TeamVectorRange : detail::NestedRange<Member> {
  using detail::NestedRange<Member>::NestedRange;
};
template <class Member, class... I>
TeamThreadRange(const Member&, I...) -> TeamThreadRange<Member>;
template <class Member, class... I>
ThreadVectorRange(const Member&, I...) -> ThreadVectorRange<Member>;
template <class Member, class... I>
TeamVectorRange(const Member&, I...) -> TeamVectorRange<Member>;

TRELLIS_EITHER_SIDE
template <class M, class F>
TRELLIS_INLINE void parallel_for(const TeamThreadRange<M>& range, const F& f) {
  range.member.for_threads(range.begin, range.end, f);
}
TRELLIS_EITHER_SIDE
template <class M, class F>
TRELLIS_INLINE void parallel_for(const ThreadVectorRange<M>& range, const F& f) {
  range.member.for_lanes(range.begin, range.end, f);
}
TRELLIS_EITHER_SIDE
template <class M, class F>
TRELLIS_INLINE void parallel_for(const TeamVectorRange<M>& range, const F& f) {
  range.member.for_all(range.begin, range.end, f);
}

TRELLIS_EITHER_SIDE
template <class M, class F, class T, Reducer R = Sum<T>>
TRELLIS_INLINE void parallel_reduce(const TeamThreadRange<M>& range, const F& f, T& result, const R& reducer = {}) {
  result = range.member.reduce_threads(range.begin, range.end, f, reducer);
}
TRELLIS_EITHER_SIDE
template <class M, class F, class T, Reducer R = Sum<T>>
TRELLIS_INLINE void parallel_reduce(const ThreadVectorRange<M>& range, const F& f, T& result, const R& reducer = {}) {
  result = range.member.reduce_lanes(range.begin, range.end, f, reducer);
}
TRELLIS_EITHER_SIDE
template <class M, class F, class T, Reducer R = Sum<T>>
TRELLIS_INLINE void parallel_reduce(const TeamVectorRange<M>& range, const F& f, T& result, const R& reducer = {}) {
  result = range.member.reduce_all(range.begin, range.end, f, reducer);
}

// f(i, sum, final) adds to sum; if final is true, sum is initially that of all lower indices. f may be called twice.
TRELLIS_EITHER_SIDE
template <class M, class F, class T>
TRELLIS_INLINE void parallel_scan(const TeamThreadRange<M>& range, const F& f, T& total) {
  total = range.member.template scan_threads<T>(range.begin, range.end, f);
}
TRELLIS_EITHER_SIDE
template <class M, class F, class T>
TRELLIS_INLINE void parallel_scan(const ThreadVectorRange<M>& range, const F& f, T& total) {
  total = range.member.template scan_lanes<T>(range.begin, range.end, f);
}

template <class Member>
struct PerTeam {
  TRELLIS_FUNCTION explicit PerTeam(const Member& team) : member(team) {}
  const Member& member;
};
template <class Member>
struct PerThread {
  TRELLIS_FUNCTION explicit PerThread(const Member& team) : member(team) {}
  const Member& member;
};

TRELLIS_EITHER_SIDE
template <class M, class F>
TRELLIS_INLINE void single(const PerTeam<M>& one, const F& f) {
  if (one.member.team_rank() == 0 && one.member.is_first_lane()) f();
}
TRELLIS_EITHER_SIDE
template <class M, class F>
TRELLIS_INLINE void single(const PerThread<M>& one, const F& f) {
  if (one.member.is_first_lane()) f();
}
TRELLIS_EITHER_SIDE
template <class M, class F, class T>
TRELLIS_INLINE void single(const PerTeam<M>& one, const F& f, T& value) {
  if (one.member.team_rank() == 0 && one.member.is_first_lane()) f(value);
  value = one.member.broadcast(value, 0);
}
TRELLIS_EITHER_SIDE
template <class M, class F, class T>
TRELLIS_INLINE void single(const PerThread<M>& one, const F& f, T& value) {
  if (one.member.is_first_lane()) f(value);
  value = one.member.broadcast_lanes(value);
}

}  // namespace trellis
