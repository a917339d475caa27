// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a machine does to one word of memory as a whole, while other threads do the same (atomic.hpp). Relaxed.

#include <type_traits>

#include "trellis/core/config.hpp"

namespace trellis::backend {

// The bits of x are replaced by `to` if they are `from`; returns what they were.
template <class Word>
TRELLIS_INLINE Word compare_exchange_word(Word* x, Word from, Word to) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(Word) >= 4, "atomics of a GPU have 4 or 8 bytes");
  if constexpr (sizeof(Word) == 8) {
    return atomicCAS(reinterpret_cast<unsigned long long*>(x), static_cast<unsigned long long>(from),
                     static_cast<unsigned long long>(to));
  } else {
    return atomicCAS(x, from, to);
  }
#else
  __atomic_compare_exchange_n(x, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return from;
#endif
}

template <class Word>
TRELLIS_INLINE Word load_word(const Word* x) {
#if defined(__CUDA_ARCH__)
  return *static_cast<const volatile Word*>(x);
#else
  return __atomic_load_n(x, __ATOMIC_RELAXED);
#endif
}

// Whether one instruction adds to a T. add_at_once() returns what x was.
#if defined(__CUDA_ARCH__)
template <class T>
inline constexpr bool adds_at_once = std::is_floating_point_v<T> || (std::is_integral_v<T> && sizeof(T) >= 4);
#else
template <class T>
inline constexpr bool adds_at_once = std::is_integral_v<T>;
#endif
template <class T>
TRELLIS_INLINE T add_at_once(T* x, T v) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_floating_point_v<T>) {
    return atomicAdd(x, v);
  } else {
    using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    return static_cast<T>(atomicAdd(reinterpret_cast<Word*>(x), static_cast<Word>(v)));
  }
#else
  return __atomic_fetch_add(x, v, __ATOMIC_RELAXED);
#endif
}

}  // namespace trellis::backend
