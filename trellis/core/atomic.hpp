// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Atomic updates of one number by many threads of a kernel: for histograms and scatters, where no reduction fits.
//   atomic_add(&x, v), atomic_sub, atomic_min, atomic_max          x <- x op v
//   atomic_fetch_add(&x, v), ..._sub, ..._min, ..._max, ..._and, ..._or      the same; returns what x was
//   atomic_exchange(&x, v), atomic_compare_exchange(&x, expected, v)         returns what x was
//   atomic_load(&x), atomic_store(&x, v)
//   atomic_fetch_update(&x, f)                                     x <- f(x) for any f
// For any trivially copyable type of 1, 2, 4 or 8 bytes; on a GPU, of 4 or 8. Memory order is relaxed: only accesses to
// the number itself are ordered; whatever else a thread wrote is visible to others only after the kernel, or after a
// barrier of their team. The order of the threads is not fixed, so sums of floating-point numbers do not have the same
// bits every time; those of parallel_reduce do.
// Cost: atomic_add of integers, and on a GPU of floating-point numbers, is one atomic instruction, as is
// atomic_compare_exchange; atomic_load is a load; the others are loops that repeat while other threads interfere.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "trellis/core/backend/thread.hpp"
#include "trellis/core/config.hpp"

namespace trellis {

namespace detail {

template <class T>
using word_of = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

}  // namespace detail

template <class T>
concept AtomicValue =
    std::is_trivially_copyable_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

TRELLIS_EITHER_SIDE
template <AtomicValue T, class F>
TRELLIS_INLINE T atomic_fetch_update(T* x, const F& f) {
  using Word = detail::word_of<T>;
  auto* const word = reinterpret_cast<Word*>(x);
  Word seen = backend::load_word(word);
  for (;;) {
    const Word before = backend::compare_exchange_word(word, seen, std::bit_cast<Word>(f(std::bit_cast<T>(seen))));
    if (before == seen) return std::bit_cast<T>(before);
    seen = before;
  }
}

template <AtomicValue T>
TRELLIS_INLINE T atomic_load(const T* x) {
  using Word = detail::word_of<T>;
  return std::bit_cast<T>(backend::load_word(reinterpret_cast<const Word*>(x)));
}
template <AtomicValue T>
TRELLIS_INLINE T atomic_exchange(T* x, std::type_identity_t<T> v) {
  return atomic_fetch_update(x, [=](T) { return v; });
}
template <AtomicValue T>
TRELLIS_INLINE void atomic_store(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_exchange(x, v));
}
template <AtomicValue T>
TRELLIS_INLINE T atomic_compare_exchange(T* x, std::type_identity_t<T> expected, std::type_identity_t<T> v) {
  using Word = detail::word_of<T>;
  return std::bit_cast<T>(backend::compare_exchange_word(reinterpret_cast<Word*>(x), std::bit_cast<Word>(expected),
                                                         std::bit_cast<Word>(v)));
}

template <AtomicValue T>
TRELLIS_INLINE T atomic_fetch_add(T* x, std::type_identity_t<T> v) {
  if constexpr (backend::adds_at_once<T>) {
    return backend::add_at_once(x, v);
  } else {
    return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen + v); });
  }
}
template <AtomicValue T>
TRELLIS_INLINE T atomic_fetch_sub(T* x, std::type_identity_t<T> v) {
  return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen - v); });
}
template <AtomicValue T>
TRELLIS_INLINE T atomic_fetch_min(T* x, std::type_identity_t<T> v) {
  return atomic_fetch_update(x, [=](T seen) { return v < seen ? v : seen; });
}
template <AtomicValue T>
TRELLIS_INLINE T atomic_fetch_max(T* x, std::type_identity_t<T> v) {
  return atomic_fetch_update(x, [=](T seen) { return seen < v ? v : seen; });
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE T atomic_fetch_and(T* x, std::type_identity_t<T> v) {
  return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen & v); });
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE T atomic_fetch_or(T* x, std::type_identity_t<T> v) {
  return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen | v); });
}

template <AtomicValue T>
TRELLIS_INLINE void atomic_add(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_add(x, v));
}
template <AtomicValue T>
TRELLIS_INLINE void atomic_sub(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_sub(x, v));
}
template <AtomicValue T>
TRELLIS_INLINE void atomic_min(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_min(x, v));
}
template <AtomicValue T>
TRELLIS_INLINE void atomic_max(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_max(x, v));
}

}  // namespace trellis
