// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops whose indices add to elements of a View that other indices add to as well, as an assembly of a matrix or a
// deposit of charges does:
//   ScatterView<double*> scatter(result);                                    adds to what `result` holds
//   parallel_scatter("deposit", n, scatter, TRELLIS_LAMBDA(Index i, const ScatterView<double*>::Access& to) {
//     to(cell(i)) += charge(i);
//   });
// On hosts there are copies of the View. Each has a part of the indices, and the copies are added to the View in their
// order. The parts depend only on the length of the work and on `parts`, so the result has the same bits for any number
// of threads, in all host spaces. On a GPU += is atomic, and sums of floating-point numbers do not have the same bits
// every time; `parts` means nothing there.
// ScatterView<DataType, Exec, R> with a reducer R of reducers.hpp: to(i).join(v) combines v with the element; of Sum
// also to(i) += v, to(i) -= v. The View has contiguous layout. Policies: RangePolicy and MDRangePolicy of Exec, or an
// integer. Results are there when parallel_scatter returns (on a GPU: for kernels that follow).
// Cost on hosts: memory of `parts` copies of the View while the loop runs (fewer if there are fewer units of work), and
// as many additions to each element. At most `parts` threads work. Throws Error unless parts >= 1.

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "trellis/core/atomic.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/reducers.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace scatter_detail {

template <class R>
inline constexpr bool is_sum = std::is_same_v<R, Sum<typename R::value_type>>;

// One element, as a loop sees it.
template <class R, bool InPlace>
class Element {
 public:
  using T = typename R::value_type;
  TRELLIS_INLINE Element(T* element, const R& reducer) : element_(element), reducer_(reducer) {}

  TRELLIS_INLINE void join(const T& v) const {
    if constexpr (!InPlace) {
      reducer_.join(*element_, v);
    } else if constexpr (is_sum<R>) {
      atomic_add(element_, v);
    } else if constexpr (std::is_same_v<R, Min<T>>) {
      atomic_min(element_, v);
    } else if constexpr (std::is_same_v<R, Max<T>>) {
      atomic_max(element_, v);
    } else {
      const R reducer = reducer_;
      atomic_fetch_update(element_, [=](T seen) {
        reducer.join(seen, v);
        return seen;
      });
    }
  }
  TRELLIS_INLINE void operator+=(const T& v) const
    requires is_sum<R>
  {
    join(v);
  }
  TRELLIS_INLINE void operator-=(const T& v) const
    requires is_sum<R>
  {
    join(static_cast<T>(-v));
  }

 private:
  T* element_;
  [[no_unique_address]] R reducer_;
};

}  // namespace scatter_detail

template <class DataType, ExecutionSpace Exec = DefaultExecutionSpace,
          Reducer R = Sum<std::remove_const_t<data_type_value<DataType>>>,
          class Layout = typename View<DataType, Exec>::layout>
class ScatterView {
 public:
  using execution_space = Exec;
  using view_type = View<DataType, Layout, Exec>;
  using value_type = typename view_type::value_type;
  static_assert(std::is_same_v<value_type, typename R::value_type>, "the reducer is of the View's values");
  static constexpr bool in_place = !can_access<Exec, HostSpace>;
  static constexpr Index default_parts = 32;

  // What the functor of a loop gets; as a View, but elements can only be joined.
  class Access {
   public:
    TRELLIS_FUNCTION Access(value_type* data, const typename view_type::mapping_type& mapping, const R& reducer)
        : data_(data), mapping_(mapping), reducer_(reducer) {}
    template <detail::AnIndex... I>
      requires(sizeof...(I) == view_type::rank)
    TRELLIS_INLINE auto operator()(I... i) const {
      return scatter_detail::Element<R, in_place>(data_ + mapping_(static_cast<Index>(i)...), reducer_);
    }

   private:
    value_type* data_;
    typename view_type::mapping_type mapping_;
    [[no_unique_address]] R reducer_;
  };

  explicit ScatterView(const view_type& target, const R& reducer = {}, Index parts = default_parts)
      : target_(target), reducer_(reducer), parts_(parts) {
    if (parts < 1) fail("ScatterView of '{}': {} parts; there must be at least one", target.label(), parts);
  }

  const view_type& target() const { return target_; }
  const R& reducer() const { return reducer_; }
  Index parts() const { return parts_; }

 private:
  view_type target_;
  R reducer_;
  Index parts_;
};

namespace scatter_detail {

// Part p of the work, into its own copy.
template <class Scatter, class Policy, class F, class R, class T>
struct WorkOnPart {
  const Policy& policy;
  const F& f;
  const R& reducer;
  typename Scatter::view_type target;
  T* copies;
  Index parts, span;
  void operator()(Index p) const {
    T* const own = copies + p * span;
    std::fill(own, own + span, reducer.identity());
    const typename Scatter::Access access(own, target.mapping(), reducer);
    const auto& call = detail::tagged<Policy>(f);
    policy.run(policy.work() * p / parts, policy.work() * (p + 1) / parts, [&](auto... i) { call(i..., access); });
  }
};

template <class T, class R>
struct JoinCopies {
  T* target;
  const T* copies;
  R reducer;
  Index parts, span;
  void operator()(Index k) const {
    T total = target[k];
    for (Index p = 0; p < parts; ++p) reducer.join(total, copies[p * span + k]);
    target[k] = total;
  }
};

// A functor that gets the View itself.
template <class F, class Access>
struct InPlace {
  F f;
  Access access;
  TRELLIS_EITHER_SIDE
  template <class... I>
  TRELLIS_FUNCTION void operator()(I... i) const {
    f(i..., access);
  }
};

}  // namespace scatter_detail

template <ExecutionPolicy Policy, class D, class Exec, class R, class L, class F>
void parallel_scatter(const Kernel& kernel, const Policy& policy, const ScatterView<D, Exec, R, L>& scatter,
                      const F& f) {
  static_assert(std::is_same_v<Exec, typename Policy::execution_space>, "the ScatterView is of another space");
  using Scatter = ScatterView<D, Exec, R, L>;
  using T = typename Scatter::value_type;
  const auto& target = scatter.target();
  const auto& reducer = scatter.reducer();
  if constexpr (Scatter::in_place) {
    using Access = typename Scatter::Access;
    const Access access(target.data(), target.mapping(), reducer);
    parallel_for(kernel, policy, scatter_detail::InPlace<F, Access>{f, access});
  } else {
    const Index parts = std::min(scatter.parts(), policy.work()), span = target.span();
    const View<T*, HostSpace> copies(uninitialized, "copies of a ScatterView", parts * span);
    using Part = scatter_detail::WorkOnPart<Scatter, Policy, F, R, T>;
    parallel_for(kernel, RangePolicy<Exec>(policy.space(), 0, parts),
                 Part{policy, f, reducer, target, copies.data(), parts, span});
    const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(span * (parts + 2));
    parallel_for({"trellis::scatter join", bytes}, RangePolicy<Exec>(policy.space(), 0, parts > 0 ? span : 0),
                 scatter_detail::JoinCopies<T, R>{target.data(), copies.data(), reducer, parts, span});
  }
}

template <std::integral N, class D, class Exec, class R, class L, class F>
void parallel_scatter(const Kernel& kernel, N n, const ScatterView<D, Exec, R, L>& scatter, const F& f) {
  parallel_scatter(kernel, RangePolicy<Exec>(0, static_cast<Index>(n)), scatter, f);
}

}  // namespace trellis
