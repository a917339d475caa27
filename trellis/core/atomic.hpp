// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Atomic updates of one number by many threads of a kernel: for histograms and scatters, where no reduction fits.
//   atomic_add(&x, v), atomic_sub, atomic_min, atomic_max, atomic_and, atomic_or, atomic_xor         x <- x op v
//   atomic_fetch_add(&x, v), ..._sub, ..._min, ..._max, ..._and, ..._or, ..._xor      the same; returns what x was
//   atomic_exchange(&x, v), atomic_compare_exchange(&x, expected, v)         returns what x was
//   atomic_load(&x), atomic_store(&x, v)
//   atomic_fetch_update(&x, f)                                     x <- f(x) for any f
//   AtomicReference<T>(&x)       what elements of a View with the trait Atomic are (view_properties.hpp):
//                                x += v, v = x, x.fetch_min(v), ... are these functions
// For any trivially copyable type of 1, 2, 4 or 8 bytes; on a GPU, of 4 or 8; and, or, xor for integers. Of two zeros
// the negative one is smaller for min and max; a NaN v leaves x alone, and x must not be NaN. Memory order is relaxed:
// only accesses to the number itself are ordered; whatever else a thread wrote is visible to others only after the
// kernel, or after a barrier of their team. The order of the threads is not fixed, so sums of floating-point numbers do
// not have the same bits every time; those of parallel_reduce do, and so have minima and maxima.
// Cost: one atomic instruction for add and sub of integers, and on a GPU of floating-point numbers; for and, or, xor
// of integers; for exchange, store and compare_exchange; and on a GPU for min and max of numbers. A host's min and max
// are one load if x remains as it is. atomic_load is a load. The others are loops that repeat while other threads
// interfere.

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
  using Word = detail::word_of<T>;
  return std::bit_cast<T>(backend::exchange_at_once(reinterpret_cast<Word*>(x), std::bit_cast<Word>(v)));
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
  if constexpr (backend::adds_at_once<T> && std::is_floating_point_v<T>) {
    return backend::add_at_once(x, -v);
  } else if constexpr (backend::adds_at_once<T> && !std::is_same_v<T, bool>) {
    using Word = std::make_unsigned_t<T>;  // where there is no overflow
    return backend::add_at_once(x, static_cast<T>(static_cast<Word>(Word{0} - static_cast<Word>(v))));
  } else {
    return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen - v); });
  }
}

namespace detail {

// Whether a is smaller than b; of zeros the negative one is.
template <class T>
TRELLIS_INLINE bool comes_before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    using Word = word_of<T>;
    constexpr int sign = 8 * sizeof(T) - 1;
    return a < b || (a == b && (std::bit_cast<Word>(a) >> sign) > (std::bit_cast<Word>(b) >> sign));
  } else {
    return a < b;
  }
}

// x <- v if replaces(v, x), or else nothing, and then x is not written.
TRELLIS_EITHER_SIDE
template <class T, class F>
TRELLIS_INLINE T fetch_replace(T* x, const T& v, const F& replaces) {
  using Word = word_of<T>;
  auto* const word = reinterpret_cast<Word*>(x);
  Word seen = backend::load_word(word);
  while (replaces(v, std::bit_cast<T>(seen))) {
    const Word before = backend::compare_exchange_word(word, seen, std::bit_cast<Word>(v));
    if (before == seen) break;
    seen = before;
  }
  return std::bit_cast<T>(seen);
}

}  // namespace detail

template <AtomicValue T>
TRELLIS_INLINE T atomic_fetch_min(T* x, std::type_identity_t<T> v) {
  if constexpr (backend::orders_at_once<T>) {
    const bool is_a_number = v == v;  // NOLINT(misc-redundant-expression)
    return is_a_number ? backend::min_at_once(x, v) : atomic_load(x);
  } else {
    return detail::fetch_replace(x, v, [](const T& a, const T& b) { return detail::comes_before(a, b); });
  }
}
template <AtomicValue T>
TRELLIS_INLINE T atomic_fetch_max(T* x, std::type_identity_t<T> v) {
  if constexpr (backend::orders_at_once<T>) {
    const bool is_a_number = v == v;  // NOLINT(misc-redundant-expression)
    return is_a_number ? backend::max_at_once(x, v) : atomic_load(x);
  } else {
    return detail::fetch_replace(x, v, [](const T& a, const T& b) { return detail::comes_before(b, a); });
  }
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE T atomic_fetch_and(T* x, std::type_identity_t<T> v) {
  if constexpr (backend::combines_bits_at_once<T>) {
    return backend::and_at_once(x, v);
  } else {
    return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen & v); });
  }
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE T atomic_fetch_or(T* x, std::type_identity_t<T> v) {
  if constexpr (backend::combines_bits_at_once<T>) {
    return backend::or_at_once(x, v);
  } else {
    return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen | v); });
  }
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE T atomic_fetch_xor(T* x, std::type_identity_t<T> v) {
  if constexpr (backend::combines_bits_at_once<T>) {
    return backend::xor_at_once(x, v);
  } else {
    return atomic_fetch_update(x, [=](T seen) { return static_cast<T>(seen ^ v); });
  }
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
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE void atomic_and(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_and(x, v));
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE void atomic_or(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_or(x, v));
}
template <AtomicValue T>
  requires std::integral<T>
TRELLIS_INLINE void atomic_xor(T* x, std::type_identity_t<T> v) {
  static_cast<void>(atomic_fetch_xor(x, v));
}

// A number of which every access is atomic. Assigning one reference to another copies the number, as for any element.
template <AtomicValue T>
class AtomicReference {
 public:
  using value_type = std::remove_const_t<T>;

  TRELLIS_INLINE explicit constexpr AtomicReference(T* x) : x_(x) {}
  AtomicReference(const AtomicReference&) = default;

  TRELLIS_INLINE operator value_type() const { return load(); }
  TRELLIS_INLINE value_type load() const { return atomic_load(x_); }

  // Assignments return the value that they wrote, as those of std::atomic_ref do.
  // NOLINTBEGIN(misc-unconventional-assign-operator, bugprone-unhandled-self-assignment)
  TRELLIS_INLINE value_type operator=(value_type v) const {
    atomic_store(x_, v);
    return v;
  }
  TRELLIS_INLINE value_type operator=(const AtomicReference& other) const { return *this = other.load(); }
  // NOLINTEND(misc-unconventional-assign-operator, bugprone-unhandled-self-assignment)
  TRELLIS_INLINE value_type operator+=(value_type v) const { return static_cast<value_type>(fetch_add(v) + v); }
  TRELLIS_INLINE value_type operator-=(value_type v) const { return static_cast<value_type>(fetch_sub(v) - v); }
  TRELLIS_INLINE value_type operator&=(value_type v) const { return static_cast<value_type>(fetch_and(v) & v); }
  TRELLIS_INLINE value_type operator|=(value_type v) const { return static_cast<value_type>(fetch_or(v) | v); }
  TRELLIS_INLINE value_type operator^=(value_type v) const { return static_cast<value_type>(fetch_xor(v) ^ v); }
  TRELLIS_INLINE value_type operator++() const { return *this += value_type{1}; }
  TRELLIS_INLINE value_type operator--() const { return *this -= value_type{1}; }
  TRELLIS_INLINE value_type operator++(int) const { return fetch_add(value_type{1}); }
  TRELLIS_INLINE value_type operator--(int) const { return fetch_sub(value_type{1}); }

  // These return the value that was there.
  TRELLIS_INLINE value_type fetch_add(value_type v) const { return atomic_fetch_add(x_, v); }
  TRELLIS_INLINE value_type fetch_sub(value_type v) const { return atomic_fetch_sub(x_, v); }
  TRELLIS_INLINE value_type fetch_min(value_type v) const { return atomic_fetch_min(x_, v); }
  TRELLIS_INLINE value_type fetch_max(value_type v) const { return atomic_fetch_max(x_, v); }
  TRELLIS_INLINE value_type fetch_and(value_type v) const { return atomic_fetch_and(x_, v); }
  TRELLIS_INLINE value_type fetch_or(value_type v) const { return atomic_fetch_or(x_, v); }
  TRELLIS_INLINE value_type fetch_xor(value_type v) const { return atomic_fetch_xor(x_, v); }
  TRELLIS_INLINE value_type exchange(value_type v) const { return atomic_exchange(x_, v); }
  TRELLIS_INLINE value_type compare_exchange(value_type expected, value_type v) const {
    return atomic_compare_exchange(x_, expected, v);
  }

 private:
  T* x_;
};

}  // namespace trellis
