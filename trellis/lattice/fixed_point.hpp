// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers in 16 bits: the numbers of one vector at one site are integers times a common scale,
//   value = integer * scale,   scale = largest |value| / 32767,
// so that each is within scale / 2 of its original value, apart from rounding in single precision (2^-9 scale). Fixed16
// names this storage in place of a field's scalar type: ParityField<Fixed16, Reals, W>. Arithmetic is in single
// precision.
//
// A site whose numbers are all below 2^-100 becomes zero. If any number of a site is infinite or NaN, none of the site
// stays finite.

#include <cstdint>
#include <type_traits>

#include "trellis/core/complex.hpp"

namespace trellis {

struct Fixed16 {};

template <class T>
inline constexpr bool is_fixed_point = std::is_same_v<std::remove_const_t<T>, Fixed16>;
// The type stored in memory, and the type used in arithmetic.
template <class T>
using stored_t = std::conditional_t<is_fixed_point<T>, std::int16_t, T>;
template <class T>
using arithmetic_t = std::conditional_t<is_fixed_point<T>, float, T>;

// Elements of links in 16 bits are integers times this.
inline constexpr float fixed_link_unit = 1.0f / 32767;

// Bytes of this many numbers of one site.
template <class T>
constexpr double site_bytes(int reals) {
  return reals * double(sizeof(stored_t<T>)) + (is_fixed_point<T> ? sizeof(float) : 0);
}

// The scale of a site's numbers, and the factor that turns them into integers.
template <class S>
struct FixedPointScale {
  S scale, inverse;

  TRELLIS_INLINE static FixedPointScale of(const S* values, int reals) {
    // Read as integers, absolute values of floats keep their order, with infinity and NaN above all others.
    using Bits = lanes_t<std::int32_t, lane_count<S>>;
    Bits largest = Bits(0);
    for (int k = 0; k < reals; ++k) {
      const Bits size = bit_and(bit_cast_lanes<std::int32_t>(values[k]), std::int32_t(0x7fffffff));
      largest = select(size > largest, size, largest);
    }
    const S size = bit_cast_lanes<float>(largest);
    const auto nothing = size < S(0x1p-100f);
    return {select(nothing, S(0.0f), size / S(32767.0f)), select(nothing, S(0.0f), S(32767.0f) / size)};
  }
};

}  // namespace trellis
