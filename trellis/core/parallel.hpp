// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dispatch: a functor runs for every index of a policy, in any order, in the threads of the policy's execution space.
//   parallel_for(kernel, policy, f)                          f(i...)
//   parallel_reduce(kernel, policy, f, result[, reducer])    f(i..., partial) adds to partial; result is overwritten.
//                                                            If result is a std::span<T> of n numbers, partial is a T*
//                                                            to n of them
//   parallel_scan(kernel, range, f, total[, reducer])        f(i, partial, final) adds to partial; if final is true,
//                                                            partial is initially the sum over all lower indices
// Policies: RangePolicy, MDRangePolicy (policy.hpp), and for the first two TeamPolicy (team_policy.hpp); with a work
// tag (policy/policy_properties.hpp) f is called with a value of it before these arguments. In place of a policy an
// integer n means 0 <= i < n in the default space. A kernel is a name, or a name with the bytes it moves and its flops
// (profile.hpp); it appears in errors and profiles. Reducers are sums unless another is given (reducers.hpp).
// Reductions and scans have the same bits for any number of threads, and the same in all host spaces; those of numbers
// also on every machine with a host space: partial results belong to chunks of the work that depend only on its length,
// and are joined in order. A scan calls f twice for each index. f is called through a const reference; in parallel_for
// this refers to a copy made by each OpenMP thread, if f can be copied. f must not write what another index reads. An
// exception thrown by f in a host space reaches the caller after every thread has stopped; which other indices ran is
// then unspecified. A functor class that names its execution_space runs in no other. Cost: an OpenMP region, and for a
// reduction at most 1024 joins and one allocation. Dispatches to Cuda return before the kernel has run (fence()), but
// reductions and scans wait.

#include <algorithm>
#include <span>
#include <type_traits>

#include "trellis/core/backend/host_threads/parallel.hpp"
#include "trellis/core/backend/serial/parallel.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/reducers.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"
#include "trellis/core/team_policy.hpp"
#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(parallel.hpp)
#endif

// run_for, run_reduce and run_scan are called unqualified: a space of a backend outside this build (Kokkos) brings its
// own, found by its type.
namespace trellis {

template <class Policy>
concept ExecutionPolicy = ExecutionSpace<typename Policy::execution_space>;

namespace detail {

template <class Policy, class F>
constexpr void require_same_space() {
  if constexpr (requires { typename F::execution_space; }) {
    static_assert(std::is_same_v<typename F::execution_space, typename Policy::execution_space>,
                  "the functor is written for another execution space than the policy's");
  }
}

// The functor itself, or with the policy's work tag as its first argument.
template <class Policy, class F>
decltype(auto) tagged(const F& f) {
  if constexpr (requires { typename Policy::work_tag; }) {
    if constexpr (!std::is_void_v<typename Policy::work_tag>) {
      return TaggedCall<typename Policy::work_tag, F>{f};
    } else {
      return static_cast<const F&>(f);
    }
  } else {
    return static_cast<const F&>(f);
  }
}

}  // namespace detail

template <ExecutionPolicy Policy, class F>
void parallel_for(const Kernel& kernel, const Policy& policy, const F& f) {
  detail::require_same_space<Policy, F>();
  if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  DispatchTimer timer(kernel, policy.space());
  if (!timer.runs()) return;
  using backend::run_for;
  run_for(policy.space(), kernel.name, policy, detail::tagged<Policy>(f));
  timer.given();
}

template <std::integral N, class F>
void parallel_for(const Kernel& kernel, N n, const F& f) {
  parallel_for(kernel, RangePolicy<>(0, static_cast<Index>(n)), f);
}

template <ExecutionPolicy Policy, class F, class T, Reducer R = Sum<T>>
void parallel_reduce(const Kernel& kernel, const Policy& policy, const F& f, T& result, const R& reducer = {}) {
  detail::require_same_space<Policy, F>();
  if (policy.work() == 0) {
    runtime_detail::empty_dispatch(kernel.name);
    result = reducer.identity();
    return;
  }
  const DispatchTimer timer(kernel, policy.space());
  if (!timer.runs_for_result()) {
    result = reducer.identity();
    return;
  }
  using backend::run_reduce;
  result = run_reduce(policy.space(), kernel.name, policy, detail::tagged<Policy>(f), reducer);
}

template <std::integral N, class F, class T, Reducer R = Sum<T>>
void parallel_reduce(const Kernel& kernel, N n, const F& f, T& result, const R& reducer = {}) {
  parallel_reduce(kernel, RangePolicy<>(0, static_cast<Index>(n)), f, result, reducer);
}

template <ExecutionPolicy Policy, class F, class T, std::size_t N, Reducer R = Sum<T>>
void parallel_reduce(const Kernel& kernel, const Policy& policy, const F& f, std::span<T, N> result,
                     const R& reducer = {}) {
  detail::require_same_space<Policy, F>();
  if (policy.work() == 0) {
    runtime_detail::empty_dispatch(kernel.name);
    std::fill(result.begin(), result.end(), reducer.identity());
    return;
  }
  const DispatchTimer timer(kernel, policy.space());
  if (!timer.runs_for_result()) {
    std::fill(result.begin(), result.end(), reducer.identity());
    return;
  }
  using backend::run_reduce_array;
  run_reduce_array(policy.space(), kernel.name, policy, detail::tagged<Policy>(f), result.data(),
                   static_cast<Index>(result.size()), reducer);
}

template <std::integral I, class F, class T, std::size_t N, Reducer R = Sum<T>>
void parallel_reduce(const Kernel& kernel, I n, const F& f, std::span<T, N> result, const R& reducer = {}) {
  parallel_reduce(kernel, RangePolicy<>(0, static_cast<Index>(n)), f, result, reducer);
}

template <ExecutionSpace Exec, class... P, class F, class T, Reducer R = Sum<T>>
void parallel_scan(const Kernel& kernel, const RangePolicy<Exec, P...>& policy, const F& f, T& total,
                   const R& reducer = {}) {
  detail::require_same_space<RangePolicy<Exec, P...>, F>();
  if (policy.work() == 0) {
    runtime_detail::empty_dispatch(kernel.name);
    total = reducer.identity();
    return;
  }
  const DispatchTimer timer(kernel, policy.space());
  if (!timer.runs_for_result()) {
    total = reducer.identity();
    return;
  }
  using backend::run_scan;
  total = run_scan(policy.space(), kernel.name, policy, detail::tagged<RangePolicy<Exec, P...>>(f), reducer);
}

template <std::integral N, class F, class T, Reducer R = Sum<T>>
void parallel_scan(const Kernel& kernel, N n, const F& f, T& total, const R& reducer = {}) {
  parallel_scan(kernel, RangePolicy<>(0, static_cast<Index>(n)), f, total, reducer);
}

}  // namespace trellis
