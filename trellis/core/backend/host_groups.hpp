// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled for each nd_range kernel on a host: for the library's ways, a loop over the work-items of a group; for the
// others, the body of one work-item, marked for the plugin (spmd_markers.hpp).

#include <type_traits>

#include "trellis/core/backend/spmd_markers.hpp"
#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/nd_item.hpp"

namespace trellis::backend {

#if defined(TRELLIS_SPMD_PLUGIN)
inline constexpr bool has_plugin = true;
#else
inline constexpr bool has_plugin = false;
#endif

template <class N>
Index checked_size(N n) {
  if constexpr (std::is_unsigned_v<N> && sizeof(N) >= sizeof(Index)) {
    if (n > static_cast<N>(largest_size)) fail_size(n);
  }
  return static_cast<Index>(n);
}

// A private copy, where copying is cheap: its members stay in registers, whatever the kernel writes.
template <class F>
using GroupFunctor = std::conditional_t<std::is_trivially_copyable_v<F>, const F, const F&>;

template <int D, class F>
void run_items(const void* functor, WorkGroup& group, Index first, Index last) {
  GroupFunctor<F> f = *static_cast<const F*>(functor);
  const WorkGroup ids = group;
  const Wait wait = ids.wait;
  if (wait == nullptr) __builtin_unreachable();
  const Index length = ids.local_range[0];
  const Index lines = ids.local_range[1];
  // Nothing else accesses `stop` unless a barrier is met, so compilers make plain loops of these, and vectorise them.
  Index stop[2] = {last, last};
  for (Index at = first; at < stop[1];) {
    const Index line = D == 1 ? 0 : at / length;
    const Index y = D == 2 ? line : line % lines;
    const Index z = D < 3 ? 0 : line / lines;
    const Index begin = line * length;
    stop[0] = begin + length < stop[1] ? begin + length : stop[1];
    TRELLIS_INDEPENDENT_LOOP
    for (Index i = at; i < stop[0]; ++i) f(nd_item<D>(ids, &group, wait, stop, i - begin, D < 2 ? 0 : y, z));
    at = begin + length;
  }
}

#if defined(TRELLIS_SPMD_PLUGIN)
template <int Way, int D, class F>
[[gnu::noinline]] void run_group(const F& __restrict functor, WorkGroup& __restrict group) noexcept {
  WorkGroup ids = group;
  ids.local_memory = static_cast<std::byte*>(trellis_spmd_launch_memory(ids.local_memory));
  trellis_spmd_begin(1, Way, D, static_cast<std::size_t>(ids.local_range[0]),
                     static_cast<std::size_t>(ids.local_range[1]), static_cast<std::size_t>(ids.local_range[2]));
  GroupFunctor<F> f = functor;
  f(nd_item<D>(ids, &group, nullptr, nullptr, static_cast<Index>(trellis_spmd_local_id(0)),
               D < 2 ? 0 : static_cast<Index>(trellis_spmd_local_id(1)),
               D < 3 ? 0 : static_cast<Index>(trellis_spmd_local_id(2))));
}
template <int Way, int D, class F>
void run_group_of(const void* functor, WorkGroup& group) {
  run_group<Way, D>(*static_cast<const F*>(functor), group);
}
#endif

template <int D, WorkItems Way, class Range, class F>
void run_host_groups(const Kernel& kernel, const Range& range, bool all_cores, const F& f) {
  static_assert(std::is_nothrow_invocable_v<const F&, const nd_item<D>&>,
                "a kernel of an nd_range takes a const nd_item<D>& and is noexcept: TRELLIS_LAMBDA(...) noexcept { }");
  constexpr WorkItems way = Way != WorkItems::automatic ? Way
                            : has_plugin                ? WorkItems::continuations
                                                        : WorkItems::fibers;
  constexpr bool of_library = way == WorkItems::threads || way == WorkItems::fibers;
  GroupLaunch launch{{1, 1, 1}, {1, 1, 1}, range.local_bytes(),       &f,
                     nullptr,   nullptr,   way == WorkItems::threads, all_cores};
  for (int d = 0; d < D; ++d) {
    launch.groups[d] = range.group_range(d);
    launch.local[d] = range.local_range(d);
  }
  if constexpr (of_library) {
    launch.items = &run_items<D, F>;
  } else {
#if defined(TRELLIS_SPMD_PLUGIN)
    constexpr int number = way == WorkItems::fission ? 1 : way == WorkItems::continuations ? 2 : 3;
    launch.group = &run_group_of<number, D, F>;
#else
    fail_without_plugin(kernel, way);
#endif
  }
  run_groups(kernel, launch);
}

}  // namespace trellis::backend
