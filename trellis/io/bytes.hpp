// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts numbers from and to bytes in a given order. T: integers and floating-point types of 2, 4 or 8 bytes.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

inline constexpr ByteOrder native_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

inline std::uint16_t swap_bytes(std::uint16_t v) { return __builtin_bswap16(v); }
inline std::uint32_t swap_bytes(std::uint32_t v) { return __builtin_bswap32(v); }
inline std::uint64_t swap_bytes(std::uint64_t v) { return __builtin_bswap64(v); }

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

template <class T>
T load(const std::byte* p, ByteOrder order) {
  BitsOf<T> bits;
  std::memcpy(&bits, p, sizeof(T));
  if (order != native_order) bits = swap_bytes(bits);
  return std::bit_cast<T>(bits);
}

template <class T>
void store(std::byte* p, T value, ByteOrder order) {
  auto bits = std::bit_cast<BitsOf<T>>(value);
  if (order != native_order) bits = swap_bytes(bits);
  std::memcpy(p, &bits, sizeof(T));
}

}  // namespace trellis::io
