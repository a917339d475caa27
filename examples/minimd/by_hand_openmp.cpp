// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick on a CPU: intrinsics of AVX-512 or AVX2, whichever it is compiled for.
#include "examples/minimd/by_hand.hpp"

#include <cmath>

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define TRELLIS_BY_HAND_AVX512
#elif defined(__AVX2__) && defined(__FMA__)
#define TRELLIS_BY_HAND_AVX2
#endif
#if defined(TRELLIS_BY_HAND_AVX512) || defined(TRELLIS_BY_HAND_AVX2)
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns about its own headers
#endif
#endif

namespace examples::minimd::by_hand {

const char* instructions() {
#if defined(TRELLIS_BY_HAND_AVX512)
  return "AVX-512";
#elif defined(TRELLIS_BY_HAND_AVX2)
  return "AVX2";
#else
  return "";
#endif
}

void forces_omp_simd(const ForceInput& in) {
  const double* const position = in.position;
  const double cutoff_squared = in.cutoff_squared;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < in.atoms; ++i) {
    const double x = position[3 * i], y = position[3 * i + 1], z = position[3 * i + 2];
    const int* const row = in.neighbours + i * in.room;
    const int own = in.count[i];
    double fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (int k = 0; k < own; ++k) {
      const long j = 3 * long(row[k]);
      const double dx = x - position[j], dy = y - position[j + 1], dz = z - position[j + 2];
      const double r2 = std::fma(dx, dx, std::fma(dy, dy, dz * dz));
      const double r_2 = 1 / r2, r_6 = r_2 * r_2 * r_2;
      const double f = r2 < cutoff_squared ? 48 * r_6 * r_2 * (r_6 - 0.5) : 0;
      fx = std::fma(f, dx, fx);
      fy = std::fma(f, dy, fy);
      fz = std::fma(f, dz, fz);
    }
    in.force[3 * i] = fx;
    in.force[3 * i + 1] = fy;
    in.force[3 * i + 2] = fz;
  }
}

#if defined(TRELLIS_BY_HAND_AVX512) || defined(TRELLIS_BY_HAND_AVX2)

namespace {

#if defined(TRELLIS_BY_HAND_AVX512)

using Numbers = __m512d;

// x, y, z of eight rows: each row is read as four numbers, and the square of numbers is transposed. On Zen 4 that takes
// half the time of three gathers; a division is faster than the approximate reciprocal with two Newton steps.
inline void load_rows(const double* position, const int* row, Numbers& x, Numbers& y, Numbers& z) {
  const auto two = [&](int a, int b) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(position + 3 * long(row[a]))),
                              _mm256_loadu_pd(position + 3 * long(row[b])), 1);
  };
  const Numbers a = two(0, 2), b = two(1, 3), c = two(4, 6), d = two(5, 7);
  const Numbers xz = _mm512_unpacklo_pd(a, b), xz_high = _mm512_unpacklo_pd(c, d);
  x = _mm512_shuffle_f64x2(xz, xz_high, 0x88);
  y = _mm512_shuffle_f64x2(_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d), 0x88);
  z = _mm512_shuffle_f64x2(xz, xz_high, 0xdd);
}
inline Numbers all(double a) { return _mm512_set1_pd(a); }
inline Numbers multiply_add(Numbers a, Numbers b, Numbers c) { return _mm512_fmadd_pd(a, b, c); }
// a b where r2 is below the limit, otherwise 0
inline Numbers product_below(Numbers r2, Numbers limit, Numbers a, Numbers b) {
  return _mm512_maskz_mul_pd(_mm512_cmp_pd_mask(r2, limit, _CMP_LT_OQ), a, b);
}
inline double sum(Numbers a) { return _mm512_reduce_add_pd(a); }

#else

using Numbers = __m256d;

// x, y, z of four rows. x and y are read two rows to a register, half by half from memory, which needs no shuffle; z,
// two numbers at a time.
inline void load_rows(const double* position, const int* row, Numbers& x, Numbers& y, Numbers& z) {
  const double* const r[4] = {position + 3 * long(row[0]), position + 3 * long(row[1]), position + 3 * long(row[2]),
                              position + 3 * long(row[3])};
  const auto two = [&](int a, int b) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(r[a])), _mm_loadu_pd(r[b]), 1);
  };
  const Numbers a = two(0, 2), b = two(1, 3);
  x = _mm256_unpacklo_pd(a, b);
  y = _mm256_unpackhi_pd(a, b);
  z = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadh_pd(_mm_load_sd(r[0] + 2), r[1] + 2)),
                           _mm_loadh_pd(_mm_load_sd(r[2] + 2), r[3] + 2), 1);
}
inline Numbers all(double a) { return _mm256_set1_pd(a); }
inline Numbers multiply_add(Numbers a, Numbers b, Numbers c) { return _mm256_fmadd_pd(a, b, c); }
inline Numbers product_below(Numbers r2, Numbers limit, Numbers a, Numbers b) {
  return _mm256_and_pd(_mm256_cmp_pd(r2, limit, _CMP_LT_OQ), a * b);
}
inline double sum(Numbers a) {
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

#endif

}  // namespace

void forces(const ForceInput& in) {
  constexpr int width = sizeof(Numbers) / sizeof(double);
  const Numbers cutoff_squared = all(in.cutoff_squared), one = all(1), half = all(0.5), c48 = all(48);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < in.atoms; ++i) {
    const double* const own = in.position + 3 * i;
    const Numbers x = all(own[0]), y = all(own[1]), z = all(own[2]);
    const int* const row = in.neighbours + i * in.room;
    const int count = in.count[i];
    Numbers fx = all(0), fy = fx, fz = fx;
    for (int k = 0; k < count; k += width) {
      Numbers ox, oy, oz;
      load_rows(in.position, row + k, ox, oy, oz);
      const Numbers dx = x - ox, dy = y - oy, dz = z - oz;
      const Numbers r2 = multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
      const Numbers r_2 = one / r2, r_6 = r_2 * r_2 * r_2;
      const Numbers f = product_below(r2, cutoff_squared, c48 * r_6 * r_2, r_6 - half);
      fx = multiply_add(f, dx, fx);
      fy = multiply_add(f, dy, fy);
      fz = multiply_add(f, dz, fz);
    }
    in.force[3 * i] = sum(fx);
    in.force[3 * i + 1] = sum(fy);
    in.force[3 * i + 2] = sum(fz);
  }
}

#else

void forces(const ForceInput& in) { forces_omp_simd(in); }

#endif

}  // namespace examples::minimd::by_hand
