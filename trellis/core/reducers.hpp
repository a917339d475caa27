// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reducers: how the partial results of parallel_reduce are combined. A reducer is a type with value_type, identity()
// and join(into, from); any user type with these will do. join is associative; it need not commute, since partial
// results are joined in the order of their indices.
//   Sum, Prod, Min, Max          of a number; Sum also of anything with value 0 = T{} and +=, and of std::array
//   MinLoc, MaxLoc               the extreme and the lowest index where it is found

#include <array>
#include <concepts>
#include <limits>

#include "trellis/core/config.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

template <class R>
concept Reducer = requires(const R reducer, typename R::value_type& into, const typename R::value_type& from) {
  { reducer.identity() } -> std::convertible_to<typename R::value_type>;
  reducer.join(into, from);
};

namespace detail {

// The identity of a minimum or maximum: the value that is never chosen over another.
template <class T>
TRELLIS_FUNCTION constexpr T highest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}
template <class T>
TRELLIS_FUNCTION constexpr T lowest() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

}  // namespace detail

template <class T>
struct Sum {
  using value_type = T;
  TRELLIS_FUNCTION T identity() const { return T{}; }
  TRELLIS_FUNCTION void join(T& into, const T& from) const { into += from; }
};

template <class T, std::size_t N>
struct Sum<std::array<T, N>> {
  using value_type = std::array<T, N>;
  TRELLIS_FUNCTION value_type identity() const { return value_type{}; }
  TRELLIS_FUNCTION void join(value_type& into, const value_type& from) const {
    for (std::size_t k = 0; k < N; ++k) into[k] += from[k];
  }
};

template <class T>
struct Prod {
  using value_type = T;
  TRELLIS_FUNCTION T identity() const { return T{1}; }
  TRELLIS_FUNCTION void join(T& into, const T& from) const { into *= from; }
};

template <class T>
struct Min {
  using value_type = T;
  TRELLIS_FUNCTION T identity() const { return detail::highest<T>(); }
  TRELLIS_FUNCTION void join(T& into, const T& from) const { into = from < into ? from : into; }
};

template <class T>
struct Max {
  using value_type = T;
  TRELLIS_FUNCTION T identity() const { return detail::lowest<T>(); }
  TRELLIS_FUNCTION void join(T& into, const T& from) const { into = into < from ? from : into; }
};

template <class T>
struct ValueLoc {
  T value;
  Index index;
};

template <class T>
struct MinLoc {
  using value_type = ValueLoc<T>;
  TRELLIS_FUNCTION value_type identity() const { return {detail::highest<T>(), std::numeric_limits<Index>::max()}; }
  TRELLIS_FUNCTION void join(value_type& into, const value_type& from) const {
    if (from.value < into.value || (from.value == into.value && from.index < into.index)) into = from;
  }
};

template <class T>
struct MaxLoc {
  using value_type = ValueLoc<T>;
  TRELLIS_FUNCTION value_type identity() const { return {detail::lowest<T>(), std::numeric_limits<Index>::max()}; }
  TRELLIS_FUNCTION void join(value_type& into, const value_type& from) const {
    if (into.value < from.value || (from.value == into.value && from.index < into.index)) into = from;
  }
};

}  // namespace trellis
