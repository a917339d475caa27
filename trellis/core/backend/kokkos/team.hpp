// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Teams of Kokkos' devices: a team is Kokkos' team, lanes are its vector lanes, scratch memory its fast level. (On
// Kokkos' hosts a team is one thread: host.hpp.) What a member offers is said by team_policy.hpp.

#include "trellis/core/backend/kokkos/device.hpp"
#include "trellis/core/team_policy.hpp"

namespace trellis::backend {

template <class Space>
using KokkosTeams = ::Kokkos::TeamPolicy<Space, ::Kokkos::IndexType<Index>>;

template <class Space>
class KokkosMember {
 public:
  using Team = typename KokkosTeams<Space>::member_type;
  TRELLIS_FUNCTION explicit KokkosMember(const Team& team) : team_(team) {}

  TRELLIS_FUNCTION Index league_rank() const { return team_.league_rank(); }
  TRELLIS_FUNCTION Index league_size() const { return team_.league_size(); }
  TRELLIS_FUNCTION int team_rank() const { return team_.team_rank(); }
  TRELLIS_FUNCTION int team_size() const { return team_.team_size(); }
  TRELLIS_FUNCTION void team_barrier() const { team_.team_barrier(); }

  template <class DataType, class... I>
  TRELLIS_FUNCTION View<DataType, LayoutRight, ScratchSpace> scratch(I... extents) const {
    using Result = View<DataType, LayoutRight, ScratchSpace>;
    using T = typename Result::value_type;
    const Result shape(static_cast<T*>(nullptr), extents...);
    const auto bytes = static_cast<std::size_t>(shape.span()) * sizeof(T);
    void* const data = team_.team_scratch(0).get_shmem_aligned(bytes, scratch_alignment);
    if (data == nullptr) ::Kokkos::abort("trellis: scratch memory of a team: more was asked for than the policy has");
    return Result(static_cast<T*>(data), extents...);
  }

  template <class F>
  TRELLIS_FUNCTION void for_threads(Index begin, Index end, const F& f) const {
    ::Kokkos::parallel_for(::Kokkos::TeamThreadRange(team_, begin, end), f);
  }
  template <class F>
  TRELLIS_FUNCTION void for_lanes(Index begin, Index end, const F& f) const {
    ::Kokkos::parallel_for(::Kokkos::ThreadVectorRange(team_, begin, end), f);
  }
  template <class F>
  TRELLIS_FUNCTION void for_all(Index begin, Index end, const F& f) const {
    ::Kokkos::parallel_for(::Kokkos::TeamVectorRange(team_, begin, end), f);
  }

  template <class F, class R>
  TRELLIS_FUNCTION auto reduce_threads(Index begin, Index end, const F& f, const R& reducer) const {
    return reduce(::Kokkos::TeamThreadRange(team_, begin, end), f, reducer);
  }
  template <class F, class R>
  TRELLIS_FUNCTION auto reduce_lanes(Index begin, Index end, const F& f, const R& reducer) const {
    return reduce(::Kokkos::ThreadVectorRange(team_, begin, end), f, reducer);
  }
  template <class F, class R>
  TRELLIS_FUNCTION auto reduce_all(Index begin, Index end, const F& f, const R& reducer) const {
    return reduce(::Kokkos::TeamVectorRange(team_, begin, end), f, reducer);
  }

  template <class T, class F>
  TRELLIS_FUNCTION T scan_threads(Index begin, Index end, const F& f) const {
    return scan<T>(::Kokkos::TeamThreadRange(team_, begin, end), f);
  }
  template <class T, class F>
  TRELLIS_FUNCTION T scan_lanes(Index begin, Index end, const F& f) const {
    return scan<T>(::Kokkos::ThreadVectorRange(team_, begin, end), f);
  }

  template <class T>
  TRELLIS_FUNCTION T broadcast(const T& value, int rank) const {
    T given = value;
    team_.team_broadcast(given, rank);
    return given;
  }
  template <class T>
  TRELLIS_FUNCTION T broadcast_lanes(const T& value) const {
    T given = value;
    ::Kokkos::single(::Kokkos::PerThread(team_), [&](T& from_first) { from_first = value; }, given);
    return given;
  }
  TRELLIS_FUNCTION bool is_first_lane() const {
    bool first = false;
    ::Kokkos::single(::Kokkos::PerThread(team_), [&] { first = true; });
    return first;
  }

 private:
  template <class Range, class F, class R>
  TRELLIS_FUNCTION static auto reduce(const Range& range, const F& f, const R& reducer) {
    using T = typename R::value_type;
    T result = reducer.identity();
    ::Kokkos::parallel_reduce(range, [&](Index i, T& partial) { f(i, partial); }, KokkosReducer<R>{reducer, &result});
    return result;
  }
  // Kokkos does not return the total.
  template <class T, class Range, class F>
  TRELLIS_FUNCTION static T scan(const Range& range, const F& f) {
    ::Kokkos::parallel_scan(range, [&](Index i, T& partial, bool final) { f(i, partial, final); });
    return reduce(range, [&](Index i, T& partial) { f(i, partial, false); }, Sum<T>{});
  }

  const Team& team_;
};

template <auto Type>
struct TeamTraits<KokkosExecutionOf<Type>> {
  static constexpr bool on_host = kokkos_runs_on_host<kokkos_type<Type>>;
  using Member = std::conditional_t<on_host, TeamMember, KokkosMember<kokkos_type<Type>>>;
  static constexpr int default_size = on_host ? 1 : 128;
  static int largest_size() { return on_host ? 1 : 1024; }
  static constexpr std::size_t largest_scratch = on_host ? std::numeric_limits<std::size_t>::max() : 48 * 1024;
};

template <class Space, class F>
struct KokkosTeamKernel {
  F f;
  TRELLIS_FUNCTION void operator()(const typename KokkosMember<Space>::Team& team) const {
    f(KokkosMember<Space>(team));
  }
};
template <class Space, class F, class T>
struct KokkosTeamReduction {
  using value_type = T;
  F f;
  TRELLIS_FUNCTION void operator()(const typename KokkosMember<Space>::Team& team, T& partial) const {
    f(KokkosMember<Space>(team), partial);
  }
};

template <class Space, class Exec, class... P>
auto kokkos_policy(const Space& instance, const TeamPolicy<Exec, P...>& policy) {
  KokkosTeams<Space> teams(instance, static_cast<int>(policy.league_size()), policy.team_size(),
                           policy.vector_length());
  // Kokkos' pieces begin at any offset: this adds room to align them.
  teams.set_scratch_size(0, ::Kokkos::PerTeam(static_cast<int>(policy.scratch_size() + scratch_alignment)));
  return teams;
}

template <class Space, class Exec, class... P, class F>
void device_for(const Space& instance, const char* name, const TeamPolicy<Exec, P...>& policy, const F& f) {
  ::Kokkos::parallel_for(name, kokkos_policy(instance, policy), KokkosTeamKernel<Space, F>{f});
}

template <class Space, class Exec, class... P, class F, class R>
typename R::value_type device_reduce(const Space& instance, const char* name, const TeamPolicy<Exec, P...>& policy,
                                     const F& f, const R& reducer) {
  using T = typename R::value_type;
  T result = reducer.identity();
  ::Kokkos::parallel_reduce(name, kokkos_policy(instance, policy), KokkosTeamReduction<Space, F, T>{f},
                            KokkosReducer<R>{reducer, &result});
  return result;
}

}  // namespace trellis::backend
