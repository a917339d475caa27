// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The nearest 16-bit integer, ties to even: numbers that are too large become the largest, NaN the least, as with
// machine instructions for it.

#include <cmath>
#include <cstdint>

#include "trellis/core/config.hpp"

namespace trellis {

// For numbers within the range, or not finite; the latter give arbitrary results.
TRELLIS_INLINE std::int16_t nearest_int16_within(float a) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::int16_t>(__float_as_uint(a + 12582912.0f));  // the bits of 3 2^22, and n in their low half
#else
  return static_cast<std::int16_t>(std::nearbyint(a));
#endif
}

TRELLIS_INLINE std::int16_t nearest_int16(float a) {
#if defined(__CUDA_ARCH__)
  return nearest_int16_within(fminf(fmaxf(a, -32768.0f), 32767.0f));  // no branches
#else
  if (!(a > -32768.0f)) return -32768;
  if (a >= 32767.0f) return 32767;
  return static_cast<std::int16_t>(std::nearbyint(a));
#endif
}

}  // namespace trellis
