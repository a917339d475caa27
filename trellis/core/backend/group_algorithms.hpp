// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What nd_item.hpp needs from a backend: the barrier, local memory and algorithms of a group (an nd_item<D>) and of a
// SubGroup<D>. On a host the work-items of either meet at the barrier of the group. Included by nd_item.hpp.

#include <type_traits>

#include "trellis/core/backend/group_trees.hpp"
#include "trellis/core/backend/spmd_markers.hpp"
#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/local_memory.hpp"

namespace trellis {

template <int D>
class nd_item;
template <int D>
class SubGroup;

namespace backend {

// Where a call is, for the error if not all work-items reach it.
struct CallSite {
  const char* file;
  unsigned line;
  TRELLIS_INLINE static constexpr CallSite here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace backend
}  // namespace trellis

#if defined(TRELLIS_DEVICE_PASS)
#include TRELLIS_DEVICE_HEADER(group_algorithms.cuh)
#else
namespace trellis::backend {

// Their addresses tell pieces of a group's memory apart: those of local<T, Number>(), and rooms for values of
// algorithms.
template <class T, int Number>
inline constexpr char local_key = 0;
template <class T, int Number>
inline constexpr char room_key = 0;

template <class Group>
TRELLIS_INLINE void barrier(const Group& group, CallSite at) {
  const GroupLink& to = group.item().link();
  if (to.wait == nullptr) {
    trellis_spmd_barrier();
  } else {
    after_wait(*to.group, to.wait(*to.group, group.item().local_linear_id(), to.stop, at.file, at.line));
  }
}

template <class T, int Number, int D>
TRELLIS_INLINE T& local_memory(const nd_item<D>& item) {
  constexpr std::size_t alignment = alignof(T) > LocalMemory::alignment ? alignof(T) : LocalMemory::alignment;
  return *static_cast<T*>(trellis_spmd_local_memory(item.link().group, &local_key<T, Number>, sizeof(T), alignment));
}

// Room for one T per work-item. Room 0 may be written at the start of an algorithm: the previous one finished reading
// it before its last barrier. Room 1 is written between the two barriers of an algorithm and read after the second.
template <class T, int Which, int D>
T* room(const nd_item<D>& item) {
  static_assert(std::is_trivially_copyable_v<T>, "values of group algorithms are trivially copyable");
  return static_cast<T*>(trellis_spmd_local_memory(item.link().group, &room_key<T, Which>,
                                                   static_cast<std::size_t>(item.local_linear_range()) * sizeof(T),
                                                   LocalMemory::alignment));
}

// The results that f, run by the leader, computes from the values of all work-items.
template <int D, class T, class F>
const T* together(const nd_item<D>& item, const T& x, CallSite at, const F& f) {
  T* const values = room<T, 0>(item);
  T* const results = room<T, 1>(item);
  const Index id = item.local_linear_id();
  values[id] = x;
  barrier(item, at);
  if (id == 0) f(values, results);
  barrier(item, at);
  return results;
}

// Sub-groups share the rooms of their group: this is where each leaves its sum. A whole group leaves its own first.
template <class Group>
inline constexpr bool is_sub_group = false;
template <int D>
inline constexpr bool is_sub_group<SubGroup<D> > = true;
template <class Group>
TRELLIS_INLINE Index place_of([[maybe_unused]] const Group& group) {
  if constexpr (is_sub_group<Group>)
    return group.group_id();
  else
    return 0;
}

template <class Group, class T, class Op>
TRELLIS_INLINE T reduce(const Group& group, const T& x, const Op& op, CallSite at) {
  const Index size = group.item().local_linear_range();
  return together(group.item(), x, at, [&](T* values, T* sums) {
    if constexpr (is_sub_group<Group>)
      join_sub_groups(values, sums, size, op);
    else
      join_group(values, sums, size, op);
  })[place_of(group)];
}

// For each work-item the sum up to its own value, which is included.
template <class Group, class T, class Op>
TRELLIS_INLINE const T* scan(const Group& group, const T& x, const Op& op, CallSite at) {
  const Index size = group.item().local_linear_range();
  return together(group.item(), x, at, [&](T* values, T* sums) {
    if constexpr (is_sub_group<Group>)
      scan_sub_groups(values, sums, size, op);
    else
      scan_group(values, sums, size, op);
  });
}
template <class Group, class T, class Op>
TRELLIS_INLINE T inclusive_scan(const Group& group, const T& x, const Op& op, CallSite at) {
  return scan(group, x, op, at)[group.item().local_linear_id()];
}
template <class Group, class T, class Op>
TRELLIS_INLINE T exclusive_scan(const Group& group, const T& x, const Op& op, CallSite at) {
  const Index id = group.place();
  const T* const sums = scan(group, x, op, at);
  const T before = sums[place_of(group) * sub_group_size + (id > 0 ? id - 1 : 0)];
  return id > 0 ? before : Op::template identity<T>();
}

template <class Group, class T>
TRELLIS_INLINE T broadcast(const Group& group, const T& x, Index id, CallSite at) {
  T* const values = room<T, 0>(group.item());
  if (group.place() == id) values[place_of(group)] = x;
  barrier(group, at);
  const T given = values[place_of(group)];
  barrier(group, at);
  return given;
}

template <class Group>
TRELLIS_INLINE bool any(const Group& group, bool condition, CallSite at) {
  const auto either = [](unsigned char a, unsigned char b) { return static_cast<unsigned char>(a | b); };
  return reduce(group, static_cast<unsigned char>(condition ? 1 : 0), either, at) != 0;
}

}  // namespace trellis::backend
#endif
