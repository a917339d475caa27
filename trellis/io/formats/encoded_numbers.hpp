// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows of numbers as the bytes of a file.

#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "trellis/io/bytes.hpp"

namespace trellis::io {

// Writes the numbers as Reals. False if one of them is not finite.
template <class Real>
bool encode_numbers(const double* numbers, std::size_t count, ByteOrder order, std::byte* out) {
  using Bits = BitsOf<Real>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
  Bits bad = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Bits bits = std::bit_cast<Bits>(static_cast<Real>(numbers[k]));
    bad |= Bits((bits & exponent) == exponent);
    const Bits stored = native_order == order ? bits : swap_bytes(bits);
    std::memcpy(out + k * sizeof(Real), &stored, sizeof(Real));
  }
  return bad == 0;
}

}  // namespace trellis::io
