// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Properties of RangePolicy, MDRangePolicy and TeamPolicy, after their other template parameters, in any order and each
// at most once:
//   Schedule<Static>          the default. Units of work are divided beforehand: each thread gets one contiguous part,
//                             or after set_chunk_size(n) every so many-th chunk of n
//   Schedule<Dynamic>         each thread takes the next chunk when it is done with its last one, for work that differs
//                             from unit to unit; chunks have set_chunk_size(n) units, or a sixteenth of a thread's
//                             share
//   LaunchBounds<Threads>     on a GPU parallel_for uses blocks of this many threads,
//   LaunchBounds<Threads, Blocks>   of which a multiprocessor should be able to hold at least this many: that limits
//                             registers. Other spaces, and reductions, whose bits would change, take no notice
//   a work tag                any other class without members: the functor is called with a value of it as its first
//                             argument, so one functor can have several kernels
//   parallel_for("force", RangePolicy<DefaultExecutionSpace, Force, Schedule<Dynamic>>(0, n).set_chunk_size(8), atoms);
// A unit is an index, a tile or a team. Reductions and scans have units of their own, which depend only on the length
// (parallel.hpp), so that no schedule changes their bits; a chunk is then one of these. Serial works in order, and GPUs
// and Kokkos' spaces distribute work as they always do, whatever the schedule.

#include <type_traits>

#include "trellis/core/base/first_of.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

struct Static {};
struct Dynamic {};

template <class Kind>
struct Schedule {
  static_assert(std::is_same_v<Kind, Static> || std::is_same_v<Kind, Dynamic>, "a Schedule is Static or Dynamic");
  static constexpr bool is_schedule = true, is_dynamic = std::is_same_v<Kind, Dynamic>;
};

template <int Threads, int Blocks = 0>
struct LaunchBounds {
  static_assert(Threads >= 32 && Threads <= 1024 && Threads % 32 == 0, "LaunchBounds: 32 to 1024 threads, in warps");
  static_assert(Blocks >= 0 && Blocks <= 32, "LaunchBounds: at most 32 blocks of a multiprocessor");
  static constexpr bool is_launch_bounds = true;
  static constexpr int threads = Threads, blocks = Blocks;
};

namespace detail {

template <class P>
inline constexpr bool is_schedule = requires { P::is_schedule; };
template <class P>
inline constexpr bool is_launch_bounds = requires { P::is_launch_bounds; };
template <class P>
inline constexpr bool is_work_tag = !is_schedule<P> && !is_launch_bounds<P>;

template <class P>
struct IsSchedule : std::bool_constant<is_schedule<P>> {};
template <class P>
struct IsLaunchBounds : std::bool_constant<is_launch_bounds<P>> {};
template <class P>
struct IsWorkTag : std::bool_constant<is_work_tag<P>> {};

struct NoBounds {
  static constexpr int threads = 0, blocks = 0;
};

// A functor that is called with a tag before its other arguments.
template <class Tag, class F>
struct TaggedCall {
  std::conditional_t<std::is_copy_constructible_v<F>, F, const F&> f;
  TRELLIS_EITHER_SIDE
  template <class... A>
  TRELLIS_INLINE void operator()(A&&... a) const {
    f(Tag{}, static_cast<A&&>(a)...);
  }
};

}  // namespace detail

// How units are given to the threads of a host; chunk 0: not chosen.
struct Distribution {
  bool dynamic = false;
  Index chunk = 0;
};

// The base of policies, which are `Policy`.
template <class Policy, class... P>
class PolicyProperties {
  static_assert((0 + ... + int(detail::is_schedule<P>)) <= 1, "a policy has one Schedule");
  static_assert((0 + ... + int(detail::is_launch_bounds<P>)) <= 1, "a policy has one LaunchBounds");
  static_assert((0 + ... + int(detail::is_work_tag<P>)) <= 1, "a policy has one work tag");

 public:
  using work_tag = typename detail::FirstOf<detail::IsWorkTag, void, P...>::type;  // void if there is none
  static_assert(std::is_void_v<work_tag> ||
                    std::is_empty_v<std::conditional_t<std::is_void_v<work_tag>, Static, work_tag>>,
                "a work tag is a class without members");
  using schedule = typename detail::FirstOf<detail::IsSchedule, Schedule<Static>, P...>::type;
  using launch_bounds = typename detail::FirstOf<detail::IsLaunchBounds, detail::NoBounds, P...>::type;

  // Throws Error unless units >= 1.
  Policy& set_chunk_size(Index units) {
    if (units < 1) fail("set_chunk_size({}): a chunk has at least one unit of work", units);
    chunk_ = units;
    return static_cast<Policy&>(*this);
  }
  Index chunk_size() const { return chunk_; }  // 0 if it was not set
  Distribution distribution() const { return {schedule::is_dynamic, chunk_}; }

 private:
  Index chunk_ = 0;
};

}  // namespace trellis
