// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums, products, minima and maxima of numbers on a host. A single running value is a chain of dependent additions,
// which compilers may not reorder. So each index adds to one of a fixed number of running values, which fill four
// vector registers, and these are joined in a tree: fast, and the same bits on every machine.

#include <type_traits>

#include "trellis/core/config.hpp"
#include "trellis/core/reducers.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::backend {

template <class R>
inline constexpr bool has_lanes = false;
template <class T>
inline constexpr bool has_lanes<Sum<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool has_lanes<Prod<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool has_lanes<Min<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool has_lanes<Max<T>> = std::is_arithmetic_v<T>;

// Lanes 0 <= l < Half join the others, and so on: vectorised as long as there are enough.
template <int Half, class T, class R>
TRELLIS_INLINE void fold_lanes(T* partial, const R& reducer) {
  if constexpr (Half > 0) {
    TRELLIS_SIMD_LOOP
    for (int l = 0; l < Half; ++l) reducer.join(partial[l], partial[l + Half]);
    fold_lanes<Half / 2>(partial, reducer);
  }
}

// The reduction of f(i, partial) over begin <= i < end.
template <class F, class R>
TRELLIS_INLINE typename R::value_type reduce_in_lanes(Index begin, Index end, const F& f, const R& reducer) {
  using T = typename R::value_type;
  if constexpr (has_lanes<R>) {
    constexpr int lanes = 256 / sizeof(T);
    const Index blocks = end > begin ? (end - begin) / lanes : 0;
    if (blocks == 0) {
      T sum = reducer.identity();
      for (Index i = begin; i < end; ++i) f(i, sum);
      return sum;
    }
    alignas(64) T partial[lanes];
    for (int l = 0; l < lanes; ++l) partial[l] = reducer.identity();
    for (Index block = 0; block < blocks; ++block) {
      const Index first = begin + block * lanes;
      TRELLIS_SIMD_LOOP
      for (int l = 0; l < lanes; ++l) f(first + l, partial[l]);
    }
    for (Index i = begin + blocks * lanes; i < end; ++i) f(i, partial[0]);
    fold_lanes<lanes / 2>(partial, reducer);
    return partial[0];
  } else {
    T sum = reducer.identity();
    for (Index i = begin; i < end; ++i) f(i, sum);
    return sum;
  }
}

}  // namespace trellis::backend
