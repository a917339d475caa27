// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// nd_item<D>: a work-item's place in an nd_range<D> (nd_range.hpp), and what it does together with its group.
//   global_id(d), local_id(d), group_id(d)           in dimension d, 0 where none is given; dimension 0 runs fastest
//   global_range(d), local_range(d), group_range(d)  work-items in all, work-items of a group, groups
//   global_linear_id() ... group_linear_range()      the same as one number: id(0) + range(0) (id(1) + range(1) id(2))
//   barrier()                                        comes back when all work-items of the group have come to it; what
//                                                    they wrote before is seen after it
//   local(array), local<T, Number>()                 memory of the group: sized at launch (local_memory.hpp), or a T.
//                                                    The Number tells two of the same type apart. Nothing is
//                                                    constructed
//   reduce(x, op), inclusive_scan(x, op), exclusive_scan(x, op)   by Plus where no op is given (operations.hpp)
//   broadcast(x, id)                                 the x of the work-item with this linear id
//   any(condition), all(condition)
//   sub_group()                                      32 work-items that follow one another, the last ones of a group
//                                                    perhaps fewer, with ids, barrier and the same algorithms
// A barrier and an algorithm, those of sub-groups too, are met by all work-items of a group or by none, each the same
// one as the others. Values of algorithms are trivially copyable; op is associative and commutative, but for rounding,
// which is the same in every way and space: the order of operations is that of backend/group_trees.hpp.
// file and line are where a call is, for the error of one that not all work-items meet.

#include <type_traits>

#include "trellis/core/backend/group_trees.hpp"
#include "trellis/core/backend/spmd_markers.hpp"
#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/local_memory.hpp"
#include "trellis/core/operations.hpp"
#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/group_trees.cuh"
#endif

namespace trellis {

namespace backend {
// Tell pieces of a group's memory apart: those of local<T, Number>(), and rooms for values of algorithms.
template <class T, int Number>
inline constexpr char local_key = 0;
template <class T, int Number>
inline constexpr char room_key = 0;
}  // namespace backend

template <int D>
class SubGroup;

template <int D>
class nd_item {
  static_assert(D >= 1 && D <= 3, "nd_item has 1 to 3 dimensions");

 public:
  static constexpr int dimensions = D;

  TRELLIS_FUNCTION nd_item(const backend::WorkGroup& of, backend::WorkGroup* group, backend::Wait wait, Index* stop,
                           Index x, Index y, Index z)
      : local_memory_(of.local_memory), group_(group), wait_(wait), stop_(stop) {
    const Index ids[3] = {x, y, z};
    for (int d = 0; d < D; ++d) {
      local_id_[d] = ids[d];
      group_id_[d] = of.group_id[d];
      group_range_[d] = of.group_range[d];
      local_range_[d] = of.local_range[d];
    }
  }

  TRELLIS_FUNCTION Index local_id(int d = 0) const { return local_id_[d]; }
  TRELLIS_FUNCTION Index group_id(int d = 0) const { return group_id_[d]; }
  TRELLIS_FUNCTION Index global_id(int d = 0) const { return group_id_[d] * local_range_[d] + local_id_[d]; }
  TRELLIS_FUNCTION Index local_range(int d = 0) const { return local_range_[d]; }
  TRELLIS_FUNCTION Index group_range(int d = 0) const { return group_range_[d]; }
  TRELLIS_FUNCTION Index global_range(int d = 0) const { return group_range_[d] * local_range_[d]; }

  TRELLIS_FUNCTION Index local_linear_id() const {
    return linear([this](int d) { return local_id(d); }, [this](int d) { return local_range(d); });
  }
  TRELLIS_FUNCTION Index group_linear_id() const {
    return linear([this](int d) { return group_id(d); }, [this](int d) { return group_range(d); });
  }
  TRELLIS_FUNCTION Index global_linear_id() const {
    return linear([this](int d) { return global_id(d); }, [this](int d) { return global_range(d); });
  }
  TRELLIS_FUNCTION Index local_linear_range() const { return product(local_range_); }
  TRELLIS_FUNCTION Index group_linear_range() const { return product(group_range_); }
  TRELLIS_FUNCTION Index global_linear_range() const { return product(local_range_) * product(group_range_); }

  TRELLIS_FUNCTION void barrier([[maybe_unused]] const char* file = __builtin_FILE(),
                                [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    __syncthreads();
#else
    if (wait_ == nullptr) {
      trellis_spmd_barrier();
    } else {
      backend::after_wait(*group_, wait_(*group_, local_linear_id(), stop_, file, line));
    }
#endif
  }

  template <class T>
  TRELLIS_FUNCTION T* local(const LocalArray<T>& array) const {
    return reinterpret_cast<T*>(local_memory_ + array.offset());
  }
  template <class T, int Number = 0>
  TRELLIS_FUNCTION T& local() const {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "local memory holds numbers and plain structs: nothing is constructed there");
    static_assert(sizeof(T) <= backend::largest_host_local, "a group has 1 MiB of local memory at most");
#if defined(TRELLIS_ON_DEVICE)
    return backend::block_shared<T, Number>();
#else
    constexpr std::size_t alignment = alignof(T) > LocalMemory::alignment ? alignof(T) : LocalMemory::alignment;
    return *static_cast<T*>(trellis_spmd_local_memory(group_, &backend::local_key<T, Number>, sizeof(T), alignment));
#endif
  }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T reduce(const T& x, const Op& op = {}, [[maybe_unused]] const char* file = __builtin_FILE(),
                            [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return backend::reduce_block(x, local_linear_id(), local_linear_range(), op);
#else
    const Index size = local_linear_range();
    return together(x, file, line, [&](T* values, T* results) { backend::join_group(values, results, size, op); })[0];
#endif
  }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T inclusive_scan(const T& x, const Op& op = {}, [[maybe_unused]] const char* file = __builtin_FILE(),
                                    [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return backend::scan_block(x, local_linear_id(), local_linear_range(), op).inclusive;
#else
    const Index size = local_linear_range();
    return together(x, file, line,
                    [&](T* values, T* results) { backend::scan_group(values, results, size, op); })[local_linear_id()];
#endif
  }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T exclusive_scan(const T& x, const Op& op = {}, [[maybe_unused]] const char* file = __builtin_FILE(),
                                    [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
    const Index id = local_linear_id();
#if defined(TRELLIS_ON_DEVICE)
    const T before = backend::scan_block(x, id, local_linear_range(), op).exclusive;
#else
    const Index size = local_linear_range();
    const T* const sums =
        together(x, file, line, [&](T* values, T* results) { backend::scan_group(values, results, size, op); });
    const T before = sums[id > 0 ? id - 1 : 0];
#endif
    return id > 0 ? before : Op::template identity<T>();
  }

  template <class T>
  TRELLIS_FUNCTION T broadcast(const T& x, Index id, [[maybe_unused]] const char* file = __builtin_FILE(),
                               [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return backend::broadcast_block(x, local_linear_id() == id);
#else
    T* const values = room<T, 0>();
    if (local_linear_id() == id) values[0] = x;
    barrier(file, line);
    const T given = values[0];
    barrier(file, line);
    return given;
#endif
  }

  TRELLIS_FUNCTION bool any(bool condition, [[maybe_unused]] const char* file = __builtin_FILE(),
                            [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return __syncthreads_or(condition ? 1 : 0) != 0;
#else
    const auto either = [](unsigned char a, unsigned char b) { return static_cast<unsigned char>(a | b); };
    return reduce(static_cast<unsigned char>(condition ? 1 : 0), either, file, line) != 0;
#endif
  }
  TRELLIS_FUNCTION bool all(bool condition, const char* file = __builtin_FILE(),
                            unsigned line = __builtin_LINE()) const noexcept {
    return !any(!condition, file, line);
  }

  TRELLIS_FUNCTION SubGroup<D> sub_group() const { return SubGroup<D>(*this); }

 private:
  friend class SubGroup<D>;

  template <class Id, class Range>
  TRELLIS_FUNCTION static Index linear(const Id& id, const Range& range) {
    Index sum = id(D - 1);
    for (int d = D - 2; d >= 0; --d) sum = sum * range(d) + id(d);
    return sum;
  }
  TRELLIS_FUNCTION static Index product(const Index* range) {
    Index n = 1;
    for (int d = 0; d < D; ++d) n *= range[d];
    return n;
  }

#if !defined(TRELLIS_ON_DEVICE)
  // Room for one T of each work-item. Whoever begins an algorithm may write to room 0: those before it ended with a
  // barrier after they read there. Room 1 is written between the two barriers of an algorithm, and read after them.
  template <class T, int Which>
  T* room() const {
    static_assert(std::is_trivially_copyable_v<T>, "values of group algorithms are trivially copyable");
    return static_cast<T*>(trellis_spmd_local_memory(group_, &backend::room_key<T, Which>,
                                                     static_cast<std::size_t>(local_linear_range()) * sizeof(T),
                                                     LocalMemory::alignment));
  }
  // The results that f, run by the leader, made of all work-items' values.
  template <class T, class F>
  const T* together(const T& x, const char* file, unsigned line, const F& f) const {
    T* const values = room<T, 0>();
    T* const results = room<T, 1>();
    const Index id = local_linear_id();
    values[id] = x;
    barrier(file, line);
    if (id == 0) f(values, results);
    barrier(file, line);
    return results;
  }
#endif

  Index local_id_[D], group_id_[D], group_range_[D], local_range_[D];
  std::byte* local_memory_;
  backend::WorkGroup* group_;
  backend::Wait wait_;
  Index* stop_;
};

template <int D>
class SubGroup {
 public:
  TRELLIS_FUNCTION explicit SubGroup(const nd_item<D>& item) : item_(item) {}

  TRELLIS_FUNCTION Index local_id() const { return item_.local_linear_id() % backend::sub_group_size; }
  TRELLIS_FUNCTION Index local_range() const {  // work-items in this one
    const Index left = item_.local_linear_range() - first();
    return left < backend::sub_group_size ? left : backend::sub_group_size;
  }
  TRELLIS_FUNCTION Index group_id() const { return item_.local_linear_id() / backend::sub_group_size; }
  TRELLIS_FUNCTION Index group_range() const {  // sub-groups of the group
    return (item_.local_linear_range() + backend::sub_group_size - 1) / backend::sub_group_size;
  }

  TRELLIS_FUNCTION void barrier([[maybe_unused]] const char* file = __builtin_FILE(),
                                [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    __syncwarp(backend::warp_mask(local_range()));
#else
    item_.barrier(file, line);
#endif
  }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T reduce(const T& x, const Op& op = {}, [[maybe_unused]] const char* file = __builtin_FILE(),
                            [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return backend::from_lane(backend::join_warp(x, local_range(), op), 0, local_range());
#else
    const Index size = item_.local_linear_range();
    return item_.together(
        x, file, line, [&](T* values, T* results) { backend::join_sub_groups(values, results, size, op); })[group_id()];
#endif
  }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T inclusive_scan(const T& x, const Op& op = {}, [[maybe_unused]] const char* file = __builtin_FILE(),
                                    [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return backend::scan_warp(x, local_range(), op);
#else
    const Index size = item_.local_linear_range();
    return item_.together(x, file, line, [&](T* values, T* results) {
      backend::scan_sub_groups(values, results, size, op);
    })[item_.local_linear_id()];
#endif
  }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T exclusive_scan(const T& x, const Op& op = {}, [[maybe_unused]] const char* file = __builtin_FILE(),
                                    [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
    const Index id = local_id();
#if defined(TRELLIS_ON_DEVICE)
    const T before = backend::from_lane(backend::scan_warp(x, local_range(), op), id > 0 ? id - 1 : 0, local_range());
#else
    const Index size = item_.local_linear_range();
    const T* const sums = item_.together(
        x, file, line, [&](T* values, T* results) { backend::scan_sub_groups(values, results, size, op); });
    const T before = sums[first() + (id > 0 ? id - 1 : 0)];
#endif
    return id > 0 ? before : Op::template identity<T>();
  }

  template <class T>
  TRELLIS_FUNCTION T broadcast(const T& x, Index id, [[maybe_unused]] const char* file = __builtin_FILE(),
                               [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return backend::from_lane(x, id, local_range());
#else
    T* const values = item_.template room<T, 0>();
    if (local_id() == id) values[group_id()] = x;
    item_.barrier(file, line);
    const T given = values[group_id()];
    item_.barrier(file, line);
    return given;
#endif
  }

  TRELLIS_FUNCTION bool any(bool condition, [[maybe_unused]] const char* file = __builtin_FILE(),
                            [[maybe_unused]] unsigned line = __builtin_LINE()) const noexcept {
#if defined(TRELLIS_ON_DEVICE)
    return __any_sync(backend::warp_mask(local_range()), condition ? 1 : 0) != 0;
#else
    const auto either = [](unsigned char a, unsigned char b) { return static_cast<unsigned char>(a | b); };
    return reduce(static_cast<unsigned char>(condition ? 1 : 0), either, file, line) != 0;
#endif
  }
  TRELLIS_FUNCTION bool all(bool condition, const char* file = __builtin_FILE(),
                            unsigned line = __builtin_LINE()) const noexcept {
    return !any(!condition, file, line);
  }

 private:
  TRELLIS_FUNCTION Index first() const {
    return item_.local_linear_id() / backend::sub_group_size * backend::sub_group_size;
  }

  nd_item<D> item_;
};

}  // namespace trellis
