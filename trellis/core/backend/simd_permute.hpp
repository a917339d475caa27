// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Permutation of lanes by numbers known only at run time: one or two instructions if a register holds all lanes. With
// several registers, each is permuted, and every lane selects the register that its number comes from.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "trellis/core/backend/simd_register.hpp"

namespace trellis::backend {

template <class T>
using lane_number = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

// N lane numbers, each as wide as a T.
template <class T, int N>
__attribute__((always_inline)) inline register_t<lane_number<T>, N> load_lane_numbers(const std::int32_t* from) {
  if constexpr (sizeof(T) == 4) {
    register_t<std::int32_t, N> numbers;
    __builtin_memcpy(&numbers, from, sizeof(numbers));
    return numbers;
  } else {
#if defined(__AVX512F__)
    if constexpr (N == 8)
      return register_t<std::int64_t, N>(
          _mm512_maskz_cvtepi32_epi64(0xff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#endif
#if defined(__AVX2__)
    if constexpr (N == 4)
      return register_t<std::int64_t, N>(
          _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#endif
#if defined(__SSE2__)
    if constexpr (N == 2) {  // lane numbers are not negative
      const __m128i two = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
      return register_t<std::int64_t, N>(_mm_unpacklo_epi32(two, _mm_setzero_si128()));
    }
#endif
    register_t<std::int32_t, N> numbers;
    __builtin_memcpy(&numbers, from, sizeof(numbers));
    return __builtin_convertvector(numbers, register_t<std::int64_t, N>);
  }
}

// result[l] = a[from[l] % N]
template <class T, int N>
__attribute__((always_inline)) inline register_t<T, N> permute_within(register_t<T, N> a,
                                                                      register_t<lane_number<T>, N> from) {
  using R = register_t<T, N>;
  [[maybe_unused]] constexpr int bytes = N * int(sizeof(T));
#if defined(__AVX512F__)
  if constexpr (bytes == 64 && sizeof(T) == 4)
    return R(_mm512_maskz_permutexvar_epi32(0xffff, (__m512i)from, (__m512i)a));
  if constexpr (bytes == 64 && sizeof(T) == 8)
    return R(_mm512_maskz_permutexvar_epi64(0xff, (__m512i)from, (__m512i)a));
#endif
#if defined(__AVX2__)
  if constexpr (bytes == 32 && sizeof(T) == 4) return R(_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)from));
  if constexpr (bytes == 32 && sizeof(T) == 8) {
#if defined(__AVX512VL__)
    return R(_mm256_maskz_permutexvar_epi64(0xff, (__m256i)from, (__m256i)a));
#else
    const __m256i first = _mm256_slli_epi64((__m256i)from, 1);  // numbers of half lanes: 2 l and 2 l + 1
    const __m256i both = _mm256_or_si256(first, _mm256_slli_epi64(first, 32));
    return R(_mm256_permutevar8x32_epi32((__m256i)a, _mm256_or_si256(both, _mm256_set1_epi64x(1LL << 32))));
#endif
  }
#endif
#if defined(__AVX__)
  if constexpr (bytes == 16 && sizeof(T) == 4) return R(_mm_permutevar_ps((__m128)a, (__m128i)from));
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return R(_mm_permutevar_pd((__m128d)a, _mm_slli_epi64((__m128i)from, 1)));
#elif defined(__SSSE3__)
  if constexpr (bytes == 16) {
    constexpr bool wide = sizeof(T) == 8;
    const __m128i copies = wide ? _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8)
                                : _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    const __m128i steps = wide ? _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7)
                               : _mm_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    const __m128i lane = _mm_and_si128(_mm_shuffle_epi8((__m128i)from, copies), _mm_set1_epi8(N - 1));
    return R(_mm_shuffle_epi8((__m128i)a, _mm_or_si128(_mm_slli_epi32(lane, wide ? 3 : 2), steps)));
  }
#endif
  const register_t<lane_number<T>, N> lane = from & (N - 1);
  R result = a[0] - R{};
  for (int l = 1; l < N; ++l) result = lane == l ? a[l] - R{} : result;
  return result;
}

// N lanes out of several registers: result[l] = a[from[l] / N][from[l] % N].
template <class T, int N, int Registers>
__attribute__((always_inline)) inline register_t<T, N> permute(const register_t<T, N> (&a)[Registers],
                                                               const std::int32_t* from) {
  using R = register_t<T, N>;
#if defined(__aarch64__)
  if constexpr (N * sizeof(T) == 16) {
    uint32x4_t bytes;  // four byte numbers for each 32 bits of the result
    if constexpr (sizeof(T) == 4) {
      bytes = vmlaq_n_u32(vdupq_n_u32(0x03020100), vld1q_u32(reinterpret_cast<const std::uint32_t*>(from)), 0x04040404);
    } else {
      const uint32x2_t two = vld1_u32(reinterpret_cast<const std::uint32_t*>(from));
      const uint32x4_t halves = vreinterpretq_u32_u64(vdupq_n_u64(0x0706050403020100));
      bytes = vmlaq_n_u32(halves, vcombine_u32(vzip1_u32(two, two), vzip2_u32(two, two)), 0x08080808);
    }
    uint8x16_t numbers = vreinterpretq_u8_u32(bytes);
    if constexpr (Registers == 1) return (R)vqtbl1q_u8((uint8x16_t)a[0], numbers);
    if constexpr (Registers == 2) return (R)vqtbl2q_u8({{(uint8x16_t)a[0], (uint8x16_t)a[1]}}, numbers);
    if constexpr (Registers >= 4) {
      uint8x16_t result = vdupq_n_u8(0);  // numbers outside a table leave it unchanged
      for (int i = 0; i < Registers; i += 4) {
        const uint8x16x4_t table = {
            {(uint8x16_t)a[i], (uint8x16_t)a[i + 1], (uint8x16_t)a[i + 2], (uint8x16_t)a[i + 3]}};
        result = vqtbx4q_u8(result, table, numbers);
        numbers = vsubq_u8(numbers, vdupq_n_u8(64));
      }
      return (R)result;
    }
  }
#endif
  const auto numbers = load_lane_numbers<T, N>(from);
  if constexpr (Registers == 1) {
    return permute_within<T, N>(a[0], numbers);
  } else {
    const auto source = numbers >> std::countr_zero(unsigned(N));
#if defined(__AVX512F__)
    if constexpr (N * sizeof(T) == 64) {  // takes two registers as one table
      constexpr auto two = [](R low, R high, auto lanes) {
        if constexpr (sizeof(T) == 4)
          return R(_mm512_permutex2var_epi32((__m512i)low, (__m512i)lanes, (__m512i)high));
        else
          return R(_mm512_permutex2var_epi64((__m512i)low, (__m512i)lanes, (__m512i)high));
      };
      R result = two(a[0], a[1], numbers);
      for (int i = 2; i < Registers; i += 2) result = source >= i ? two(a[i], a[i + 1], numbers) : result;
      return result;
    }
#endif
    R result = permute_within<T, N>(a[0], numbers);
    for (int i = 1; i < Registers; ++i) result = source == i ? permute_within<T, N>(a[i], numbers) : result;
    return result;
  }
}

}  // namespace trellis::backend
