// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arithmetic of random kernels, with a unique result for all operands: integers wrap, shifts are modulo the width,
// division by 0 is division by 1, and a float leaves as bits only after all NaNs have become one. Kernels and
// interpreter call the same functions.

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace trellis::random_kernels {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// In a separate file, so that no kernel sees what it does.
u32 outside(u32 a, u32 b) noexcept;

// The type in which C++ computes: no product of u16 overflows an int.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), u32, T>;

template <class T>
T add(T a, T b) noexcept {
  if constexpr (std::is_floating_point_v<T>) return a + b;
  return static_cast<T>(Wide<T>(a) + Wide<T>(b));
}
template <class T>
T subtract(T a, T b) noexcept {
  if constexpr (std::is_floating_point_v<T>) return a - b;
  return static_cast<T>(Wide<T>(a) - Wide<T>(b));
}
template <class T>
T multiply(T a, T b) noexcept {
  if constexpr (std::is_floating_point_v<T>) return a * b;
  return static_cast<T>(Wide<T>(a) * Wide<T>(b));
}
template <class T>
T lower(T a, T b) noexcept {
  return b < a ? b : a;
}
template <class T>
T higher(T a, T b) noexcept {
  return a < b ? b : a;
}
template <class T>
u32 less(T a, T b) noexcept {
  return a < b ? 1 : 0;
}
template <class T>
u32 equal(T a, T b) noexcept {
  return a == b ? 1 : 0;
}
template <class T>
T both(T a, T b) noexcept {
  return static_cast<T>(a & b);
}
template <class T>
T either(T a, T b) noexcept {
  return static_cast<T>(a | b);
}
template <class T>
T differ(T a, T b) noexcept {
  return static_cast<T>(a ^ b);
}
template <class T>
T left(T a, T b) noexcept {
  return static_cast<T>(Wide<T>(a) << (b % (8 * sizeof(T))));
}
template <class T>
T right(T a, T b) noexcept {
  return static_cast<T>(a >> (b % (8 * sizeof(T))));
}
template <class T>
T quotient(T a, T b) noexcept {
  return static_cast<T>(a / (b == 0 ? T{1} : b));
}
template <class T>
T remainder(T a, T b) noexcept {
  return static_cast<T>(a % (b == 0 ? T{1} : b));
}

// Conversions. A float is made from 16 bits, so that sums stay exact for a while, and is output as its bits.
template <class To, class From>
To convert(From x) noexcept {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, float>) {
    return static_cast<float>(static_cast<u32>(x) & 0xffffU);
  } else if constexpr (std::is_same_v<From, float>) {
    u32 bits = 0x7fc00000U;
    if (x == x) std::memcpy(&bits, &x, sizeof bits);
    return static_cast<To>(bits);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace trellis::random_kernels
