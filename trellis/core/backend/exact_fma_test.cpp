// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// fma() of lanes, and its replacement for processors without such an instruction, against std::fma on numbers that are
// hard to round: of all exponents, next to ties, nearly cancelling, subnormal, infinite and NaN.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "trellis/core/simd.hpp"
#if defined(__SSE2__)
#include "trellis/core/backend/exact_fma.hpp"
#endif

namespace trellis {
namespace {

#if defined(TRELLIS_FMA_TRIALS)
constexpr long trials = TRELLIS_FMA_TRIALS;
#else
constexpr long trials = 1000000;
#endif

struct Generator {
  std::uint64_t state;
  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  int below(int n) { return int(bits() % unsigned(n)); }
};

template <class T>
struct Hard {
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int digits = std::numeric_limits<T>::digits;  // including the leading one
  static constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
  Generator generator{17};

  // All digits random, or only a few at either end, or all ones except a few.
  bits mantissa() {
    const bits mask = (bits(1) << (digits - 1)) - 1, word = bits(generator.bits());
    switch (generator.below(5)) {
      case 0:
        return word & mask & ~bits(0) << generator.below(digits);
      case 1:
        return word & (bits(1) << generator.below(digits)) & mask;
      case 2:
        return ~(word & (bits(1) << generator.below(digits))) & mask;
      case 3:
        return (bits(1) << generator.below(digits - 1)) | (bits(1) << generator.below(digits - 1));
      default:
        return word & mask;
    }
  }
  T make(int exponent) {
    if (exponent > bias) exponent = bias;
    if (exponent < -bias) exponent = -bias;  // subnormal
    const bits sign = bits(generator.bits() & 1) << (8 * sizeof(T) - 1);
    return std::bit_cast<T>(bits(sign | bits(exponent + bias) << (digits - 1) | mantissa()));
  }
  T any() {
    switch (generator.below(64)) {
      case 0:
        return T(0);
      case 1:
        return T(-0.0);
      case 2:
        return std::numeric_limits<T>::infinity();
      case 3:
        return -std::numeric_limits<T>::infinity();
      case 4:
        return std::numeric_limits<T>::quiet_NaN();
      case 5:
        return std::numeric_limits<T>::denorm_min();
      case 6:
        return std::numeric_limits<T>::max();
      default:
        return make(generator.below(2 * bias + 2) - bias);
    }
  }
  void next(T& a, T& b, T& c) {
    const int kind = generator.below(8);
    if (kind == 0) {  // anything
      a = any(), b = any(), c = any();
      return;
    }
    const int range = kind == 1 ? bias : bias / 4;
    const int of_a = generator.below(2 * range) - range, of_b = generator.below(2 * range) - range;
    a = make(of_a), b = make(of_b);
    if (kind <= 4) {  // sizes that overlap, or only just do not
      c = make(of_a + of_b + generator.below(5 * digits) - 5 * digits / 2);
    } else if (kind == 5) {  // all but the product's last digits cancels
      c = -(a * b);
      if (std::isfinite(c))
        for (int n = generator.below(4); n > 0; --n) c = std::nextafter(c, a);
    } else if (kind == 6) {  // the small term breaks a tie, or nearly does
      c = a, a = make(of_a - digits + generator.below(3) - 1), b = make(-generator.below(3));
    } else {
      const T factors[] = {T(0), T(-0.0), T(1), T(-1), b};
      b = factors[generator.below(5)];
      const T terms[] = {T(0), T(-0.0), a, -a, make(of_a)};
      c = terms[generator.below(5)];
    }
  }
};

template <class T>
bool same(T a, T b) {
  return std::isnan(b) ? std::isnan(a) : std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Computes W lanes by f(a, b, c, result) on arrays.
template <class T, int W, class F>
void expect_fma(const F& f) {
  Hard<T> hard;
  alignas(64) T a[W], b[W], c[W], result[W];
  for (long n = 0; n < trials; n += W) {
    for (int l = 0; l < W; ++l) hard.next(a[l], b[l], c[l]);
    f(a, b, c, result);
    for (int l = 0; l < W; ++l)
      ASSERT_TRUE(same(result[l], std::fma(a[l], b[l], c[l])))
          << std::hexfloat << a[l] << " * " << b[l] << " + " << c[l] << " gave " << result[l] << ", not "
          << std::fma(a[l], b[l], c[l]);
  }
}

template <class T, int W>
void expect_fma_of_lanes() {
  using S = simd<T, W>;
  expect_fma<T, W>(
      [](const T* a, const T* b, const T* c, T* result) { fma(S::load(a), S::load(b), S::load(c)).store(result); });
}
TEST(FusedMultiplyAdd, OfLanesIsThatOfScalars) {
  expect_fma_of_lanes<double, 2>();
  expect_fma_of_lanes<double, 8>();
  expect_fma_of_lanes<float, 2>();
  expect_fma_of_lanes<float, 4>();
  expect_fma_of_lanes<float, 16>();
}

#if defined(__SSE2__)
TEST(FusedMultiplyAdd, WithoutTheInstruction) {
  expect_fma<double, 2>([](const double* a, const double* b, const double* c, double* result) {
    _mm_store_pd(result, backend::fma_by_parts(_mm_load_pd(a), _mm_load_pd(b), _mm_load_pd(c)));
  });
  expect_fma<float, 4>([](const float* a, const float* b, const float* c, float* result) {
    _mm_store_ps(result, backend::fma_by_parts(_mm_load_ps(a), _mm_load_ps(b), _mm_load_ps(c)));
  });
}
#endif

}  // namespace
}  // namespace trellis
