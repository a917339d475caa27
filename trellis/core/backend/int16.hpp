// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// 16-bit integers from floats, and two of them as floats.

#include <cmath>
#include <cstdint>

#include "trellis/core/config.hpp"

namespace trellis {

// The nearest integer, ties to even. Of numbers that are within the range, or not finite: those become anything.
TRELLIS_INLINE std::int16_t nearest_int16_within(float a) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::int16_t>(__float_as_uint(a + 12582912.0f));  // the bits of 3 2^22, and n in their low half
#else
  return static_cast<std::int16_t>(std::nearbyint(a));
#endif
}

// What is too large becomes the largest, what is no number the least, as machines with an instruction for it do.
TRELLIS_INLINE std::int16_t nearest_int16(float a) {
#if defined(__CUDA_ARCH__)
  return nearest_int16_within(fminf(fmaxf(a, -32768.0f), 32767.0f));  // no branches
#else
  if (!(a > -32768.0f)) return -32768;
  if (a >= 32767.0f) return 32767;
  return static_cast<std::int16_t>(std::nearbyint(a));
#endif
}

// Two integers as floats, raised by int16_raise: on a GPU that number's bits with n added to the low half, one
// instruction each that runs at full speed, where a conversion takes as long as eight.
inline constexpr float int16_raise = 8388608.0f + 32768.0f;
struct RaisedPair {
  float first, second;
};
TRELLIS_INLINE RaisedPair raised_int16_pair(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  constexpr std::uint32_t raise = 0x4b008000u;
  std::uint32_t first;
  asm("lop3.b32 %0, %1, 0xffff, %2, 0x6a;" : "=r"(first) : "r"(bits), "r"(raise));  // (bits & 0xffff) ^ raise
  return {__uint_as_float(first), __int_as_float((static_cast<std::int32_t>(bits) >> 16) + int(raise))};
#else
  return {float(static_cast<std::int16_t>(bits)) + int16_raise,
          float(static_cast<std::int16_t>(bits >> 16)) + int16_raise};
#endif
}

}  // namespace trellis
