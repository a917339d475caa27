// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/crc_folding.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trellis::backend {

#if defined(__x86_64__)

namespace {

// x^n modulo the polynomial, reflected, and shifted as the product of two reflected numbers needs it.
constexpr std::int64_t power(int n) {
  std::uint32_t remainder = 1;
  for (int k = 0; k < n; ++k) remainder = (remainder << 1) ^ ((remainder >> 31) != 0 ? 0x04c11db7U : 0U);
  std::int64_t reflected = 0;
  for (int bit = 0; bit < 32; ++bit) reflected = reflected << 1 | (remainder >> bit & 1);
  return reflected << 1;
}

#define TRELLIS_FOLDS __attribute__((target("pclmul,sse4.1")))

TRELLIS_FOLDS inline __m128i load(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

// `value`, moved by a distance whose powers are given, plus what is there.
TRELLIS_FOLDS inline __m128i moved(__m128i value, __m128i powers, __m128i there) {
  const __m128i low = _mm_clmulepi64_si128(value, powers, 0x00), high = _mm_clmulepi64_si128(value, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

}  // namespace

bool folds_crc() {
  static const bool can = __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  return can;
}

TRELLIS_FOLDS void fold_crc(std::uint32_t state, const std::byte* bytes, std::size_t count, std::byte (&folded)[16]) {
  const __m128i by_64 = _mm_set_epi64x(power(512 - 32), power(512 + 32));
  const __m128i by_16 = _mm_set_epi64x(power(128 - 32), power(128 + 32));
  // Four at a time, since a product takes several cycles.
  __m128i a = load(bytes), b = load(bytes + 16), c = load(bytes + 32), d = load(bytes + 48);
  a = _mm_xor_si128(a, _mm_cvtsi32_si128(static_cast<int>(state)));
  std::size_t at = 64;
  for (; at + 64 <= count; at += 64) {
    a = moved(a, by_64, load(bytes + at));
    b = moved(b, by_64, load(bytes + at + 16));
    c = moved(c, by_64, load(bytes + at + 32));
    d = moved(d, by_64, load(bytes + at + 48));
  }
  __m128i all = moved(moved(moved(a, by_16, b), by_16, c), by_16, d);
  for (; at < count; at += 16) all = moved(all, by_16, load(bytes + at));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(folded), all);
}

#undef TRELLIS_FOLDS

#else

bool folds_crc() { return false; }
void fold_crc(std::uint32_t, const std::byte*, std::size_t, std::byte (&)[16]) {}

#endif

}  // namespace trellis::backend
