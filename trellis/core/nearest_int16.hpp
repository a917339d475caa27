// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The nearest 16-bit integer, ties to even: what is too large becomes the largest, what is no number the least, as
// machines with an instruction for it do.

#include <cmath>
#include <cstdint>

#include "trellis/core/config.hpp"

namespace trellis {

TRELLIS_INLINE std::int16_t nearest_int16(float a) {
  if (!(a > -32768.0f)) return -32768;
  if (a >= 32767.0f) return 32767;
  return static_cast<std::int16_t>(std::nearbyint(a));
}

}  // namespace trellis
