// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One machine register of N lanes, and the few operations that compilers do not generate by themselves: fused
// multiply-add, square root, conversion, streaming store, 16-bit integers; simd_permute.hpp has one more. Everything
// else is the compilers' own vector arithmetic (+ - * / & | comparisons), the same under GCC and Clang. Each operation
// has a generic form, so that a machine without a special case here is slower, never wrong. A register of 8 bytes, two
// floats, is treated as half of one of 16. (The maskz forms with all lanes on are the plain instructions; they avoid
// warnings of GCC 12 about its own headers.)

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "trellis/core/backend/thread.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#if defined(__SSE2__) && !defined(__FMA__) && !defined(TRELLIS_DEVICE_SOURCE)
#include "trellis/core/backend/exact_fma.hpp"
#define TRELLIS_EXACT_FMA
#endif

namespace trellis::backend {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

// GCC drops vector_size on a template alias, so the register type is a member of a struct.
template <class T, int N>
struct Register {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
  typedef T in_memory __attribute__((vector_size(N * sizeof(T)), may_alias));  // may be read from an array of T
};
template <class T, int N>
using register_t = typename Register<T, N>::type;

template <class T, int N>
inline constexpr bool is_register = N * int(sizeof(T)) == 64 || N * int(sizeof(T)) == 32 || N * int(sizeof(T)) == 16;

// The first and the last N of 2 N lanes, and 2 N lanes from two times N.
template <class T, int N>
struct Halves {
  register_t<T, N> low, high;
};
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector) && !defined(TRELLIS_DEVICE_SOURCE)
#define TRELLIS_SHUFFLEVECTOR
#endif
#endif
template <class T, int N>
__attribute__((always_inline)) inline Halves<T, N> halves(register_t<T, 2 * N> a) {
#if defined(TRELLIS_SHUFFLEVECTOR)
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return Halves<T, N>{__builtin_shufflevector(a, a, I...), __builtin_shufflevector(a, a, (N + I)...)};
  }(std::make_integer_sequence<int, N>());
#else  // GCC 11
  return __builtin_bit_cast(Halves<T, N>, a);
#endif
}
template <class T, int N>
__attribute__((always_inline)) inline register_t<T, 2 * N> join(register_t<T, N> low, register_t<T, N> high) {
#if defined(TRELLIS_SHUFFLEVECTOR)
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(low, high, I...);
  }(std::make_integer_sequence<int, 2 * N>());
#else
  return __builtin_bit_cast(register_t<T, 2 * N>, Halves<T, N>{low, high});
#endif
}
// A register of 8 bytes, twice in one of 16.
template <class T, int N>
inline constexpr bool is_half_register = N * int(sizeof(T)) == 8 && register_bytes >= 16;
template <class T, int N>
__attribute__((always_inline)) inline register_t<T, 2 * N> twice(register_t<T, N> a) {
  return join<T, N>(a, a);
}

template <class T, int N>
__attribute__((always_inline)) inline register_t<T, N> fma(register_t<T, N> a, register_t<T, N> b, register_t<T, N> c) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, double> && N == 8) return register_t<T, N>(_mm512_fmadd_pd(a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 16) return register_t<T, N>(_mm512_fmadd_ps(a, b, c));
#endif
#if defined(__FMA__)
  if constexpr (std::is_same_v<T, double> && N == 4) return register_t<T, N>(_mm256_fmadd_pd(a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 8) return register_t<T, N>(_mm256_fmadd_ps(a, b, c));
  if constexpr (std::is_same_v<T, double> && N == 2) return register_t<T, N>(_mm_fmadd_pd(a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 4) return register_t<T, N>(_mm_fmadd_ps(a, b, c));
#endif
#if defined(TRELLIS_EXACT_FMA)
  if constexpr (std::is_same_v<T, double> && N == 2) return register_t<T, N>(exact_fma((__m128d)a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 4) return register_t<T, N>(exact_fma((__m128)a, b, c));
  if constexpr (N * sizeof(T) == 32) {
    const auto x = halves<T, N / 2>(a), y = halves<T, N / 2>(b), z = halves<T, N / 2>(c);
    return join<T, N / 2>(fma<T, N / 2>(x.low, y.low, z.low), fma<T, N / 2>(x.high, y.high, z.high));
  }
#endif
#if defined(__aarch64__)
  if constexpr (std::is_same_v<T, double> && N == 2) return (register_t<T, N>)vfmaq_f64(c, a, b);
  if constexpr (std::is_same_v<T, float> && N == 4) return (register_t<T, N>)vfmaq_f32(c, a, b);
#endif
  if constexpr (is_half_register<T, N>) {
    return halves<T, N>(fma<T, 2 * N>(twice<T, N>(a), twice<T, N>(b), twice<T, N>(c))).low;
  } else {
    register_t<T, N> result;
    for (int lane = 0; lane < N; ++lane) result[lane] = std::fma(T(a[lane]), T(b[lane]), T(c[lane]));
    return result;
  }
}

// c - a b, rounded once. An explicit instruction, because GCC otherwise negates a in a separate one.
template <class T, int N>
__attribute__((always_inline)) inline register_t<T, N> negated_fma(register_t<T, N> a, register_t<T, N> b,
                                                                   register_t<T, N> c) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, double> && N == 8) return register_t<T, N>(_mm512_fnmadd_pd(a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 16) return register_t<T, N>(_mm512_fnmadd_ps(a, b, c));
#endif
#if defined(__FMA__)
  if constexpr (std::is_same_v<T, double> && N == 4) return register_t<T, N>(_mm256_fnmadd_pd(a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 8) return register_t<T, N>(_mm256_fnmadd_ps(a, b, c));
  if constexpr (std::is_same_v<T, double> && N == 2) return register_t<T, N>(_mm_fnmadd_pd(a, b, c));
  if constexpr (std::is_same_v<T, float> && N == 4) return register_t<T, N>(_mm_fnmadd_ps(a, b, c));
#endif
#if defined(__aarch64__)
  if constexpr (std::is_same_v<T, double> && N == 2) return (register_t<T, N>)vfmsq_f64(c, a, b);
  if constexpr (std::is_same_v<T, float> && N == 4) return (register_t<T, N>)vfmsq_f32(c, a, b);
#endif
  return fma<T, N>(-a, b, c);
}

// For a number from memory that is used several times: keeps it in a register where there are 32 of them. GCC otherwise
// makes it an operand in memory of each instruction that uses it, and loads, not arithmetic, then limit a product of
// matrices. Leaves the value alone.
template <class T, int N>
__attribute__((always_inline)) inline void keep_in_register([[maybe_unused]] register_t<T, N>& a) {
#if defined(__AVX512VL__) && !defined(__clang__) && !defined(TRELLIS_DEVICE_SOURCE)
  if constexpr (is_register<T, N>) __asm__("" : "+v"(a));
#endif
}

template <class T, int N>
__attribute__((always_inline)) inline register_t<T, N> sqrt(register_t<T, N> a) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, double> && N == 8) return register_t<T, N>(_mm512_maskz_sqrt_pd(0xff, a));
  if constexpr (std::is_same_v<T, float> && N == 16) return register_t<T, N>(_mm512_maskz_sqrt_ps(0xffff, a));
#endif
#if defined(__AVX__)
  if constexpr (std::is_same_v<T, double> && N == 4) return register_t<T, N>(_mm256_sqrt_pd(a));
  if constexpr (std::is_same_v<T, float> && N == 8) return register_t<T, N>(_mm256_sqrt_ps(a));
#endif
#if defined(__SSE2__)
  if constexpr (std::is_same_v<T, double> && N == 2) return register_t<T, N>(_mm_sqrt_pd(a));
  if constexpr (std::is_same_v<T, float> && N == 4) return register_t<T, N>(_mm_sqrt_ps(a));
#endif
#if defined(__aarch64__)
  if constexpr (std::is_same_v<T, double> && N == 2) return (register_t<T, N>)vsqrtq_f64(a);
  if constexpr (std::is_same_v<T, float> && N == 4) return (register_t<T, N>)vsqrtq_f32(a);
#endif
  if constexpr (is_half_register<T, N>) {
    return halves<T, N>(sqrt<T, 2 * N>(twice<T, N>(a))).low;
  } else {
    register_t<T, N> result;
    for (int lane = 0; lane < N; ++lane) result[lane] = std::sqrt(T(a[lane]));
    return result;
  }
}

// Converts each lane. (GCC 12 splits wide registers for __builtin_convertvector between floats and doubles.)
template <class To, class T, int N>
__attribute__((always_inline)) inline register_t<To, N> convert(register_t<T, N> a) {
  [[maybe_unused]] constexpr bool widens = std::is_same_v<T, float> && std::is_same_v<To, double>;
  [[maybe_unused]] constexpr bool narrows = std::is_same_v<T, double> && std::is_same_v<To, float>;
#if defined(__AVX512F__)
  if constexpr (widens && N == 8) return register_t<To, N>(_mm512_maskz_cvtps_pd(0xff, a));
  if constexpr (narrows && N == 8) return register_t<To, N>(_mm512_maskz_cvtpd_ps(0xff, a));
#endif
#if defined(__AVX__)
  if constexpr (widens && N == 4) return register_t<To, N>(_mm256_cvtps_pd(a));
  if constexpr (narrows && N == 4) return register_t<To, N>(_mm256_cvtpd_ps(a));
#endif
#if defined(__SSE2__) && !defined(__AVX512DQ__)
  if constexpr (std::is_same_v<T, std::int64_t> && std::is_same_v<To, double>) {
    // The halves as the low bits of 2^84 + 2^63 and of 2^52, and one rounding.
    using U = register_t<std::uint64_t, N>;
    const U bits = (U)a, high = (bits >> 32) ^ 0x4530000080000000u, low = (bits & 0xffffffffu) | 0x4330000000000000u;
    return ((register_t<To, N>)high - (0x1p84 + 0x1p63 + 0x1p52)) + (register_t<To, N>)low;
  }
#endif
#if defined(__SSE2__) && !defined(TRELLIS_DEVICE_SOURCE)
  if constexpr (widens && N == 2) return register_t<To, N>(_mm_cvtps_pd(twice<T, N>(a)));
  if constexpr (narrows && N == 2) return halves<To, N>(register_t<To, 2 * N>(_mm_cvtpd_ps(a))).low;
#endif
#if defined(__aarch64__)
  if constexpr (widens && N == 2) return (register_t<To, N>)vcvt_f64_f32((float32x2_t)a);
  if constexpr (narrows && N == 2) return (register_t<To, N>)vcvt_f32_f64(a);
#endif
  return __builtin_convertvector(a, register_t<To, N>);
}

// The products of the low 32 bits of lanes, as unsigned numbers.
template <int N>
__attribute__((always_inline)) inline register_t<std::uint64_t, N> product_of_low_halves(
    register_t<std::uint64_t, N> a, register_t<std::uint64_t, N> b) {
  using R = register_t<std::uint64_t, N>;
#if defined(__AVX512F__)
  if constexpr (N == 8) return R(_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)b));
#endif
#if defined(__AVX2__)
  if constexpr (N == 4) return R(_mm256_mul_epu32((__m256i)a, (__m256i)b));
#endif
#if defined(__SSE2__)
  if constexpr (N == 2) return R(_mm_mul_epu32((__m128i)a, (__m128i)b));
#endif
#if defined(__aarch64__)
  if constexpr (N == 2) return (R)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
#endif
  return (a & 0xffffffffu) * (b & 0xffffffffu);
}

// True if any lane of a mask is set; all bits of a lane are set, or none.
template <class T, int N>
__attribute__((always_inline)) inline bool any_lane(register_t<T, N> mask) {
  constexpr int bytes = N * sizeof(T);
#if defined(__AVX512F__)
  if constexpr (bytes == 64) return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32) return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#endif
#if defined(__SSE2__)
  if constexpr (bytes == 16) return _mm_movemask_epi8((__m128i)mask) != 0;
#endif
#if defined(__aarch64__)
  if constexpr (bytes == 16) return vmaxvq_u32((uint32x4_t)mask) != 0;
#endif
  if constexpr (bytes == 8) {
    return __builtin_bit_cast(std::int64_t, mask) != 0;
  } else {
    T found = 0;
    for (int lane = 0; lane < N; ++lane) found |= mask[lane];
    return found != 0;
  }
}

#if !defined(TRELLIS_DEVICE_SOURCE)  // whose front end does not expand the pack
// result[l] = a[From_l], or b[From_l - N]; From is a compile-time constant.
template <class T, int N, int... From>
__attribute__((always_inline)) inline register_t<T, N> shuffle(register_t<T, N> a, register_t<T, N> b) {
#if defined(TRELLIS_SHUFFLEVECTOR)
  return __builtin_shufflevector(a, b, From...);
#else  // GCC 11
  using number = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  return __builtin_shuffle(a, b, register_t<number, N>{From...});
#endif
}
#endif

// N 16-bit integers as floats.
template <int N>
__attribute__((always_inline)) inline register_t<float, N> load_int16(const std::int16_t* p) {
#if defined(__AVX512F__)
  if constexpr (N == 16) {
    const __m256i numbers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return register_t<float, N>(_mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi16_epi32(0xffff, numbers)));
  }
#endif
#if defined(__AVX2__)
  if constexpr (N == 8)
    return register_t<float, N>(
        _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))));
#endif
  [[maybe_unused]] const auto two = [p] {
    std::int32_t bits;
    __builtin_memcpy(&bits, p, sizeof(bits));
    return bits;
  };
#if defined(__SSE2__) && !defined(TRELLIS_DEVICE_SOURCE)
  const auto widened = [](__m128i numbers) {
    return register_t<float, 4>(_mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpacklo_epi16(numbers, numbers), 16)));
  };
  if constexpr (N == 4) return widened(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  if constexpr (N == 2) return halves<float, 2>(widened(_mm_cvtsi32_si128(two()))).low;
#endif
#if defined(__aarch64__)
  const auto widened = [](int16x4_t numbers) { return (register_t<float, 4>)vcvtq_f32_s32(vmovl_s16(numbers)); };
  if constexpr (N == 4) return widened(vld1_s16(p));
  if constexpr (N == 2) return halves<float, 2>(widened(vreinterpret_s16_s32(vdup_n_s32(two())))).low;
#endif
  register_t<float, N> result;
  for (int lane = 0; lane < N; ++lane) result[lane] = float(p[lane]);
  return result;
}

// N floats as 16-bit integers, rounded like nearest_int16. |a| < 2^31.
template <int N>
__attribute__((always_inline)) inline void store_int16(std::int16_t* p, register_t<float, N> a) {
#if defined(__AVX512F__)
  if constexpr (N == 16)
    return _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                               _mm512_maskz_cvtsepi32_epi16(0xffff, _mm512_maskz_cvtps_epi32(0xffff, a)));
#endif
#if defined(__AVX2__)
  if constexpr (N == 8) {
    const __m256i numbers = _mm256_cvtps_epi32(a);
    return _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                            _mm_packs_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1)));
  }
#endif
#if defined(__SSE2__) && !defined(TRELLIS_DEVICE_SOURCE)
  const auto narrowed = [](__m128 numbers) {
    const __m128i wide = _mm_cvtps_epi32(numbers);
    return _mm_packs_epi32(wide, wide);
  };
  if constexpr (N == 4) return _mm_storel_epi64(reinterpret_cast<__m128i*>(p), narrowed(a));
  if constexpr (N == 2) {
    const std::int32_t two = _mm_cvtsi128_si32(narrowed(twice<float, 2>(a)));
    return void(__builtin_memcpy(p, &two, sizeof(two)));
  }
#endif
#if defined(__aarch64__)
  const auto narrowed = [](float32x4_t numbers) {  // NaN becomes zero anyway
    return vqmovn_s32(vbslq_s32(vceqq_f32(numbers, numbers), vcvtnq_s32_f32(numbers), vdupq_n_s32(-32768)));
  };
  if constexpr (N == 4) return vst1_s16(p, narrowed(a));
  if constexpr (N == 2) {
    const std::int32_t two = vget_lane_s32(vreinterpret_s32_s16(narrowed((float32x4_t)twice<float, 2>(a))), 0);
    return void(__builtin_memcpy(p, &two, sizeof(two)));
  }
#endif
  for (int lane = 0; lane < N; ++lane) p[lane] = nearest_int16(a[lane]);
}

// Writes past the caches; p is aligned to the register's size.
template <class T, int N>
__attribute__((always_inline)) inline void stream(T* p, register_t<T, N> a) {
#if defined(__AVX512F__)
  if constexpr (N * sizeof(T) == 64) return _mm512_stream_si512(reinterpret_cast<__m512i*>(p), (__m512i)a);
#endif
#if defined(__AVX__)
  if constexpr (N * sizeof(T) == 32) return _mm256_stream_si256(reinterpret_cast<__m256i*>(p), (__m256i)a);
#endif
#if defined(__SSE2__)
  if constexpr (N * sizeof(T) == 16) return _mm_stream_si128(reinterpret_cast<__m128i*>(p), (__m128i)a);
#endif
  *reinterpret_cast<typename Register<T, N>::in_memory*>(p) = a;
}

// Prefetches the cache line at p, into the second-level cache, or into the first; for reading or writing. Does nothing
// in source files that are compiled for a GPU, which hides latency with threads.
#if defined(TRELLIS_DEVICE_SOURCE)
TRELLIS_INLINE void prefetch(const void*) {}
TRELLIS_INLINE void prefetch_near(const void*) {}
#else
TRELLIS_INLINE void prefetch(const void* p) { __builtin_prefetch(p, 0, 2); }
TRELLIS_INLINE void prefetch_near(const void* p) { __builtin_prefetch(p, 0, 3); }
#endif

// Streaming stores are weakly ordered: this orders them before what follows.
inline void stream_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace trellis::backend
