// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels on Kokkos' device spaces, through Kokkos' own policies, reductions and scans. Kokkos chooses the order in
// which it joins partial results, so joins must commute.

#include "trellis/core/backend/kokkos/spaces.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/reducers.hpp"

namespace trellis::backend {

template <class Space, class Exec, class... P>
auto kokkos_policy(const Space& instance, const RangePolicy<Exec, P...>& policy) {
  return ::Kokkos::RangePolicy<Space, ::Kokkos::IndexType<Index>>(instance, policy.begin(), policy.end());
}

template <class Space, class Exec, class R, class... P>
auto kokkos_policy(const Space& instance, const MDRangePolicy<Exec, R, P...>& policy) {
  constexpr auto order = R::order == Iterate::Right ? ::Kokkos::Iterate::Right : ::Kokkos::Iterate::Left;
  using Policy = ::Kokkos::MDRangePolicy<Space, ::Kokkos::Rank<R::value, order, order>, ::Kokkos::IndexType<Index>>;
  typename Policy::point_type begin, end;
  typename Policy::tile_type tile;
  for (int r = 0; r < R::value; ++r) {
    begin[r] = policy.begin(r);
    end[r] = policy.end(r);
    tile[r] = policy.tile(r);
  }
  return Policy(instance, begin, end, tile);
}

// Kokkos would deduce types from the functor's call operator, which may be a template.
template <class F, class T>
struct KokkosPartial {
  using value_type = T;
  F f;
  template <class... I>
  TRELLIS_FUNCTION void operator()(I&&... i) const {  // indices, then the partial result
    f(i...);
  }
};

template <class R>
struct KokkosReducer {
  using reducer = KokkosReducer;
  using value_type = typename R::value_type;
  using result_view_type = ::Kokkos::View<value_type, ::Kokkos::HostSpace, ::Kokkos::MemoryTraits<::Kokkos::Unmanaged>>;

  R inner;
  value_type* result;

  TRELLIS_FUNCTION void init(value_type& value) const { value = inner.identity(); }
  TRELLIS_FUNCTION void join(value_type& into, const value_type& from) const { inner.join(into, from); }
#if KOKKOS_VERSION < 30700
  TRELLIS_FUNCTION void join(volatile value_type& into, const volatile value_type& from) const {
    inner.join(const_cast<value_type&>(into), const_cast<const value_type&>(from));
  }
#endif
  TRELLIS_FUNCTION value_type& reference() const { return *result; }
  TRELLIS_FUNCTION result_view_type view() const { return result_view_type(result); }
  TRELLIS_FUNCTION bool references_scalar() const { return true; }  // so that Kokkos waits
};

template <class F, class R>
struct KokkosScan {
  using value_type = typename R::value_type;
  F f;
  R inner;
  TRELLIS_FUNCTION void operator()(Index i, value_type& partial, bool final) const { f(i, partial, final); }
  TRELLIS_FUNCTION void init(value_type& value) const { value = inner.identity(); }
#if KOKKOS_VERSION < 30700  // which needs this signature, and adds if it finds another
  TRELLIS_FUNCTION void join(volatile value_type& into, const volatile value_type& from) const {
    inner.join(const_cast<value_type&>(into), const_cast<const value_type&>(from));
  }
#else
  TRELLIS_FUNCTION void join(value_type& into, const value_type& from) const { inner.join(into, from); }
#endif
};

// `length` results at once.
template <class F, class R>
struct KokkosArray {
  using T = typename R::value_type;
  using value_type = T[];
  F f;
  R inner;
  unsigned value_count;
  template <class... I>
  TRELLIS_FUNCTION void operator()(I&&... i) const {
    f(i...);
  }
  TRELLIS_FUNCTION void init(T* value) const {
    for (unsigned k = 0; k < value_count; ++k) value[k] = inner.identity();
  }
#if KOKKOS_VERSION < 30700
  TRELLIS_FUNCTION void join(volatile T* into, const volatile T* from) const {
    for (unsigned k = 0; k < value_count; ++k) inner.join(const_cast<T&>(into[k]), const_cast<const T&>(from[k]));
  }
#else
  TRELLIS_FUNCTION void join(T* into, const T* from) const {
    for (unsigned k = 0; k < value_count; ++k) inner.join(into[k], from[k]);
  }
#endif
};

template <class Space, class Policy, class F>
void device_for(const Space& instance, const char* name, const Policy& policy, const F& f) {
  ::Kokkos::parallel_for(name, kokkos_policy(instance, policy), f);
}

template <class Space, class Policy, class F, class R>
typename R::value_type device_reduce(const Space& instance, const char* name, const Policy& policy, const F& f,
                                     const R& reducer) {
  using T = typename R::value_type;
  T result = reducer.identity();
  ::Kokkos::parallel_reduce(name, kokkos_policy(instance, policy), KokkosPartial<F, T>{f},
                            KokkosReducer<R>{reducer, &result});
  return result;
}

template <class Space, class Policy, class F, class T, class R>
void device_reduce_array(const Space& instance, const char* name, const Policy& policy, const F& f, T* result,
                         Index length, const R& reducer) {
  const ::Kokkos::View<T*, ::Kokkos::HostSpace, ::Kokkos::MemoryTraits<::Kokkos::Unmanaged>> results(
      result, static_cast<std::size_t>(length));
  ::Kokkos::parallel_reduce(name, kokkos_policy(instance, policy),
                            KokkosArray<F, R>{f, reducer, static_cast<unsigned>(length)}, results);
  instance.fence();
}

template <class Space, class Exec, class... P, class F, class R>
typename R::value_type device_scan(const Space& instance, const char* name, const RangePolicy<Exec, P...>& policy,
                                   const F& f, const R& reducer) {
  typename R::value_type total = reducer.identity();
  ::Kokkos::parallel_scan(name, kokkos_policy(instance, policy), KokkosScan<F, R>{f, reducer}, total);
  return total;
}

}  // namespace trellis::backend
