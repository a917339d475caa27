// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// nd_item<D>: a work-item's place in an nd_range<D> (nd_range.hpp), and what it does together with its group.
//   global_id(d), local_id(d), group_id(d)           in dimension d, by default 0; dimension 0 runs fastest
//   global_range(d), local_range(d), group_range(d)  work-items in total, work-items of a group, groups
//   global_linear_id() ... group_linear_range()      the same as one number: id(0) + range(0) (id(1) + range(1) id(2))
//   barrier()                                        returns when all work-items of the group have reached it; what
//                                                    they wrote before is visible after it
//   local(array), local<T, Number>()                 memory of the group: an array sized at launch (local_memory.hpp),
//                                                    or a T, of which Number tells several apart. Nothing is
//                                                    constructed
//   reduce(x, op), inclusive_scan(x, op), exclusive_scan(x, op)   op is Plus by default (operations.hpp)
//   broadcast(x, id)                                 the x of the work-item with this linear id
//   any(condition), all(condition)
//   sub_group()                                      32 consecutive work-items (perhaps fewer at the end of a group),
//                                                    with ids, barrier and the same algorithms
// A barrier or an algorithm, also of a sub-group, must be reached by all work-items of a group or by none, and by all
// of them at the same call. Values of algorithms must be trivially copyable; op must be associative and commutative
// except for rounding, which is the same in all spaces and however work-items run: the order of operations is that of
// backend/group_trees.hpp.
// The last argument says where a call is, for the error if not all work-items reach it.

#include <type_traits>

#include "trellis/core/backend/group_algorithms.hpp"
#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/local_memory.hpp"
#include "trellis/core/operations.hpp"

namespace trellis {

// What the work-items of a Group, which is an nd_item<D> or a SubGroup<D>, do together.
template <class Group>
class GroupAlgorithms {
  using CallSite = backend::CallSite;

 public:
  TRELLIS_FUNCTION void barrier(CallSite at = CallSite::here()) const noexcept { backend::barrier(group(), at); }

  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T reduce(const T& x, const Op& op = {}, CallSite at = CallSite::here()) const noexcept {
    return backend::reduce(group(), x, op, at);
  }
  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T inclusive_scan(const T& x, const Op& op = {}, CallSite at = CallSite::here()) const noexcept {
    return backend::inclusive_scan(group(), x, op, at);
  }
  template <class T, class Op = Plus>
  TRELLIS_FUNCTION T exclusive_scan(const T& x, const Op& op = {}, CallSite at = CallSite::here()) const noexcept {
    return backend::exclusive_scan(group(), x, op, at);
  }
  template <class T>
  TRELLIS_FUNCTION T broadcast(const T& x, Index id, CallSite at = CallSite::here()) const noexcept {
    return backend::broadcast(group(), x, id, at);
  }
  TRELLIS_FUNCTION bool any(bool condition, CallSite at = CallSite::here()) const noexcept {
    return backend::any(group(), condition, at);
  }
  TRELLIS_FUNCTION bool all(bool condition, CallSite at = CallSite::here()) const noexcept {
    return !any(!condition, at);
  }

 private:
  TRELLIS_INLINE const Group& group() const { return static_cast<const Group&>(*this); }
};

template <int D>
class nd_item : public GroupAlgorithms<nd_item<D>> {
  static_assert(D >= 1 && D <= 3, "nd_item has 1 to 3 dimensions");

 public:
  static constexpr int dimensions = D;

  TRELLIS_FUNCTION nd_item(const backend::WorkGroup& of, backend::WorkGroup* group, backend::Wait wait, Index* stop,
                           Index x, Index y, Index z)
      : local_memory_(of.local_memory), link_{group, wait, stop} {
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

  template <class T>
  TRELLIS_FUNCTION T* local(const LocalArray<T>& array) const {
    return reinterpret_cast<T*>(local_memory_ + array.offset());
  }
  template <class T, int Number = 0>
  TRELLIS_FUNCTION T& local() const {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "local memory holds numbers and plain structs: nothing is constructed there");
    static_assert(sizeof(T) <= backend::largest_host_local, "a group has 1 MiB of local memory at most");
    return backend::local_memory<T, Number>(*this);
  }

  TRELLIS_FUNCTION SubGroup<D> sub_group() const { return SubGroup<D>(*this); }

  // For backends.
  TRELLIS_INLINE Index place() const { return local_linear_id(); }
  TRELLIS_INLINE const nd_item& item() const { return *this; }
  TRELLIS_INLINE const backend::GroupLink& link() const { return link_; }

 private:
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

  Index local_id_[D], group_id_[D], group_range_[D], local_range_[D];
  std::byte* local_memory_;
  backend::GroupLink link_;
};

template <int D>
class SubGroup : public GroupAlgorithms<SubGroup<D>> {
 public:
  TRELLIS_FUNCTION explicit SubGroup(const nd_item<D>& item) : item_(item) {}

  TRELLIS_FUNCTION Index local_id() const { return item_.local_linear_id() % backend::sub_group_size; }
  TRELLIS_FUNCTION Index local_range() const {  // work-items in this one
    const Index left = item_.local_linear_range() - group_id() * backend::sub_group_size;
    return left < backend::sub_group_size ? left : backend::sub_group_size;
  }
  TRELLIS_FUNCTION Index group_id() const { return item_.local_linear_id() / backend::sub_group_size; }
  TRELLIS_FUNCTION Index group_range() const {  // sub-groups of the group
    return (item_.local_linear_range() + backend::sub_group_size - 1) / backend::sub_group_size;
  }

  // For backends.
  TRELLIS_INLINE Index place() const { return local_id(); }
  TRELLIS_INLINE const nd_item<D>& item() const { return item_; }

 private:
  nd_item<D> item_;
};

}  // namespace trellis
