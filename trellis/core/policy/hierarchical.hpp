// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work-group kernels in two scopes (SYCL's hierarchical parallel_for): a function of the group, which calls functions
// of its work-items. Each call ends when all work-items have, which is what a barrier would do:
//   LocalMemory memory;
//   const auto tile = memory.array<float>(256);
//   parallel_for_work_group("reverse", nd_range<1>{n, 256}.with(memory),
//                           TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
//     float* const t = group.local(tile);
//     group.parallel_for_work_item([&](const h_item<1>& item) { t[item.local_id()] = a[item.global_id()]; });
//     group.parallel_for_work_item([&](const h_item<1>& item) { b[item.global_id()] = t[255 - item.local_id()]; });
//   });
// On a host a group runs in one thread and its work-items in a plain loop, by any compiler: no stacks, no plugin, and
// the way of the range (nd_range::by) does not matter. Loops may be vectorised, so the work-items of one call must be
// independent, except for atomics. On a GPU a group is a block, and all of its threads run the function of the group:
// it may read memory between the calls, but writes go into once() or a function of the work-items. With numbers, T is
// trivially copyable:
//   group.private_memory<T>()   one T per work-item, kept from call to call: m(item) is its own. Uninitialised; on a
//                               host it takes 1024 T on the thread's stack
//   group.once(f)               f() in one thread; then all go on
// Sizes, ids, local memory and errors are those of nd_item.hpp and nd_range.hpp.

#include <type_traits>

#include "trellis/core/nd_range.hpp"

namespace trellis {

template <int D>
class work_group;

// A work-item's place.
template <int D>
class h_item {
 public:
  TRELLIS_INLINE h_item(const nd_item<D>& of, Index x, Index y, Index z) : of_(of) {
    const Index ids[3] = {x, y, z};
    for (int d = 0; d < D; ++d) id_[d] = ids[d];
  }
  TRELLIS_INLINE Index local_id(int d = 0) const { return id_[d]; }
  TRELLIS_INLINE Index global_id(int d = 0) const { return of_.group_id(d) * of_.local_range(d) + id_[d]; }
  TRELLIS_INLINE Index local_range(int d = 0) const { return of_.local_range(d); }
  TRELLIS_INLINE Index global_range(int d = 0) const { return of_.global_range(d); }
  TRELLIS_INLINE Index local_linear_id() const {
    Index sum = id_[D - 1];
    for (int d = D - 2; d >= 0; --d) sum = sum * local_range(d) + id_[d];
    return sum;
  }
  TRELLIS_INLINE Index global_linear_id() const {
    Index sum = global_id(D - 1);
    for (int d = D - 2; d >= 0; --d) sum = sum * global_range(d) + global_id(d);
    return sum;
  }

 private:
  const nd_item<D>& of_;
  Index id_[D];
};

template <class T, int D>
class PrivateMemory {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>,
                "private memory holds numbers and plain structs: nothing is constructed there");

 public:
  TRELLIS_INLINE T& operator()([[maybe_unused]] const h_item<D>& item) {
#if defined(TRELLIS_DEVICE_PASS)
    return own_[0];
#else
    return own_[item.local_linear_id()];
#endif
  }

 private:
  friend class work_group<D>;
  TRELLIS_INLINE PrivateMemory() {}  // leaves it uninitialised

#if defined(TRELLIS_DEVICE_PASS)
  T own_[1];
#else
  alignas(64) T own_[backend::largest_group];
#endif
};

template <int D>
class work_group {
 public:
  TRELLIS_FUNCTION explicit work_group(const nd_item<D>& item) : item_(item) {}

  TRELLIS_FUNCTION Index group_id(int d = 0) const { return item_.group_id(d); }
  TRELLIS_FUNCTION Index group_range(int d = 0) const { return item_.group_range(d); }
  TRELLIS_FUNCTION Index local_range(int d = 0) const { return item_.local_range(d); }
  TRELLIS_FUNCTION Index group_linear_id() const { return item_.group_linear_id(); }
  TRELLIS_FUNCTION Index local_linear_range() const { return item_.local_linear_range(); }

  template <class T>
  TRELLIS_FUNCTION T* local(const LocalArray<T>& array) const {
    return item_.local(array);
  }
  template <class T, int Number = 0>
  TRELLIS_FUNCTION T& local() const {
    return item_.template local<T, Number>();
  }
  template <class T>
  TRELLIS_INLINE PrivateMemory<T, D> private_memory() const {
    return {};
  }

  template <class F>
  TRELLIS_INLINE void parallel_for_work_item(const F& f) const {
#if defined(TRELLIS_DEVICE_PASS)
    item_.barrier();
    f(h_item<D>(item_, item_.local_id(0), D < 2 ? 0 : item_.local_id(D < 2 ? 0 : 1),
                D < 3 ? 0 : item_.local_id(D < 3 ? 0 : 2)));
    item_.barrier();
#else
    const Index nx = item_.local_range(0), ny = D < 2 ? 1 : item_.local_range(D < 2 ? 0 : 1),
                nz = D < 3 ? 1 : item_.local_range(D < 3 ? 0 : 2);
    for (Index z = 0; z < nz; ++z) {
      for (Index y = 0; y < ny; ++y) {
        TRELLIS_SIMD_LOOP
        for (Index x = 0; x < nx; ++x) f(h_item<D>(item_, x, y, z));
      }
    }
#endif
  }

  template <class F>
  TRELLIS_INLINE void once(const F& f) const {
#if defined(TRELLIS_DEVICE_PASS)
    item_.barrier();
    if (item_.local_linear_id() == 0) f();
    item_.barrier();
#else
    f();
#endif
  }

 private:
  nd_item<D> item_;  // on a host the first
};

namespace backend {

// What each thread of a block runs.
template <int D, class F>
struct GroupFunction {
  F f;
  TRELLIS_FUNCTION void operator()(const nd_item<D>& item) const noexcept { f(work_group<D>(item)); }
};

template <int D, class F>
void run_whole_group(const void* functor, WorkGroup& group) {
  const WorkGroup ids = group;
  (*static_cast<const F*>(functor))(work_group<D>(nd_item<D>(ids, &group, nullptr, nullptr, 0, 0, 0)));
}

}  // namespace backend

template <int D, class Exec, WorkItems Way, class F>
void parallel_for_work_group(const Kernel& kernel, const nd_range<D, Exec, Way>& range, const F& f) {
  if constexpr (backend::is_device<Exec>) {
#if defined(TRELLIS_DEVICE_BACKEND)
    backend::run_device_groups(kernel, range, backend::GroupFunction<D, F>{f});
#endif
  } else {
    static_assert(std::is_nothrow_invocable_v<const F&, const work_group<D>&>,
                  "a function of a group takes a const work_group<D>& and is noexcept: TRELLIS_LAMBDA(...) noexcept");
    backend::GroupLaunch launch{{1, 1, 1}, {1, 1, 1}, range.local_bytes(),          &f, nullptr,
                                nullptr,   false,     !std::is_same_v<Exec, Serial>};
    for (int d = 0; d < D; ++d) {
      launch.groups[d] = range.group_range(d);
      launch.local[d] = range.local_range(d);
    }
    launch.group = &backend::run_whole_group<D, F>;
    backend::run_groups(kernel, launch);
  }
}

}  // namespace trellis
