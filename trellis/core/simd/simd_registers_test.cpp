// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Operations of simd that use special instructions, for every possible number of registers: against scalars, bit for
// bit.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "trellis/core/simd.hpp"
#include "trellis/core/simd/simd_pairs.hpp"

namespace trellis {
namespace {

std::uint64_t random_bits() {
  static std::mt19937_64 generator(29);
  return generator();
}
template <class T>
T random_number() {
  if constexpr (std::is_integral_v<T>)
    return std::int64_t(random_bits());
  else
    return T(std::ldexp(T(std::int64_t(random_bits())), int(random_bits() % 40) - 80));
}

// The same value, or both NaN.
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(b)) return std::isnan(a);
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T, int W>
struct Numbers {
  alignas(64) T at[W];
  Numbers() {
    for (T& x : at) x = random_number<T>();
  }
  simd<T, W> lanes() const { return simd<T, W>::load(at); }
};

// Lanes in which v is not f(l).
template <class T, int W, class F>
int wrong(const simd<T, W>& v, const F& f) {
  int count = 0;
  for (int l = 0; l < W; ++l) count += !same<T>(v[l], f(l));
  return count;
}

template <class S>
class Registers : public ::testing::Test {};
using AllLanes =
    ::testing::Types<simd<float, 2>, simd<float, 4>, simd<float, 8>, simd<float, 16>, simd<float, 32>, simd<double, 2>,
                     simd<double, 4>, simd<double, 8>, simd<double, 16>, simd<double, 32>, simd<std::int64_t, 2>,
                     simd<std::int64_t, 4>, simd<std::int64_t, 8>, simd<std::int64_t, 16>, simd<std::int64_t, 32>>;
TYPED_TEST_SUITE(Registers, AllLanes);

TYPED_TEST(Registers, PermutationsAreExact) {
  using T = scalar_t<TypeParam>;
  constexpr int W = lane_count<TypeParam>;
  for (int trial = 0; trial < 300; ++trial) {
    const Numbers<T, W> a;
    std::int32_t numbers[W + 1], *const from = numbers + trial % 2;  // aligned, and not aligned
    for (int l = 0; l < W; ++l) from[l] = std::int32_t(trial < 2 ? l : trial < 4 ? W - 1 - l : int(random_bits() % W));
    EXPECT_EQ(wrong(permute(a.lanes(), from), [&](int l) { return a.at[from[l]]; }), 0);
  }
}

TYPED_TEST(Registers, StoresGoWhereTheyShould) {
  using T = scalar_t<TypeParam>;
  constexpr int W = lane_count<TypeParam>;
  const Numbers<T, W> a;
  alignas(64) T stored[2 * W] = {}, streamed[2 * W] = {};
  a.lanes().store(stored + W);
  a.lanes().stream(streamed + W);
  backend::stream_fence();
  for (int l = 0; l < W; ++l) {
    EXPECT_EQ(stored[l], T(0));
    EXPECT_EQ(streamed[l], T(0));
    EXPECT_TRUE(same(stored[W + l], a.at[l]));
    EXPECT_TRUE(same(streamed[W + l], a.at[l]));
  }
}

TYPED_TEST(Registers, AnyAndAllSeeEveryLane) {
  using T = scalar_t<TypeParam>;
  constexpr int W = lane_count<TypeParam>;
  const TypeParam one(T(1));
  EXPECT_FALSE(any(TypeParam(T(0)) >= one));
  EXPECT_TRUE(all(one >= one));
  for (int l = 0; l < W; ++l) {
    TypeParam v(T(0));
    v.set(l, T(1));
    EXPECT_TRUE(any(v >= one));
    EXPECT_FALSE(all(v >= one) && W > 1);
    EXPECT_FALSE(all(v < one));
    EXPECT_TRUE(any(v < one) || W == 1);
    EXPECT_EQ(wrong(select(v >= one, v, one + one), [&](int k) { return k == l ? T(1) : T(2); }), 0);
  }
}

template <class T, int W>
void expect_conversions() {
  for (int trial = 0; trial < 100; ++trial) {
    Numbers<T, W> a;
    if constexpr (!std::is_integral_v<T>) {
      if (trial == 0) a.at[0] = T(-0.0), a.at[1] = std::numeric_limits<T>::infinity();
      if (trial == 1) a.at[0] = std::numeric_limits<T>::quiet_NaN(), a.at[1] = std::numeric_limits<T>::denorm_min();
      if (trial == 2) a.at[0] = std::numeric_limits<T>::max(), a.at[1] = T(0x1.000001p0);
    }
    EXPECT_EQ(wrong(convert<double>(a.lanes()), [&](int l) { return double(a.at[l]); }), 0);
    EXPECT_EQ(wrong(convert<float>(a.lanes()), [&](int l) { return float(a.at[l]); }), 0);
    if constexpr (!std::is_integral_v<T>) {
      Numbers<T, W> small;
      for (T& x : small.at) x = T(std::int32_t(random_bits())) / 128;
      EXPECT_EQ(wrong(convert<std::int64_t>(small.lanes()), [&](int l) { return std::int64_t(small.at[l]); }), 0);
    }
  }
}
TYPED_TEST(Registers, ConversionsAreThoseOfScalars) {
  expect_conversions<scalar_t<TypeParam>, lane_count<TypeParam>>();
}

TYPED_TEST(Registers, SquareRootsAndSizes) {
  using T = scalar_t<TypeParam>;
  if constexpr (!std::is_integral_v<T>) {
    for (int trial = 0; trial < 100; ++trial) {
      const Numbers<T, lane_count<TypeParam>> a;
      EXPECT_EQ(wrong(sqrt(a.lanes()), [&](int l) { return std::sqrt(a.at[l]); }), 0);
      EXPECT_EQ(wrong(abs(a.lanes()), [&](int l) { return std::abs(a.at[l]); }), 0);
    }
  }
}

TYPED_TEST(Registers, Pairs) {
  using T = scalar_t<TypeParam>;
  if constexpr (!std::is_integral_v<T>) {
    const Numbers<T, lane_count<TypeParam>> a, b;
    const auto x = a.lanes(), y = b.lanes();
    EXPECT_EQ(wrong(exchange_pairs(x), [&](int l) { return a.at[l ^ 1]; }), 0);
    EXPECT_EQ(wrong(double_even(x), [&](int l) { return a.at[l & ~1]; }), 0);
    EXPECT_EQ(wrong(double_odd(x), [&](int l) { return a.at[l | 1]; }), 0);
    EXPECT_EQ(wrong(alternate(x, y), [&](int l) { return l % 2 == 0 ? a.at[l] : b.at[l]; }), 0);
    EXPECT_EQ(wrong(negate_even(x), [&](int l) { return l % 2 == 0 ? -a.at[l] : a.at[l]; }), 0);
    EXPECT_EQ(wrong(negate_odd(x), [&](int l) { return l % 2 == 1 ? -a.at[l] : a.at[l]; }), 0);
  }
}

// Every 16-bit integer survives; halves are rounded to even.
TYPED_TEST(Registers, Int16) {
  if constexpr (std::is_same_v<scalar_t<TypeParam>, float>) {
    constexpr int W = lane_count<TypeParam>;
    for (int first = -32768; first < 32768; first += W) {
      std::int16_t in[W], out[W + 1] = {};
      for (int l = 0; l < W; ++l) in[l] = std::int16_t(first + l);
      const auto v = load_int16<TypeParam>(in);
      ASSERT_EQ(wrong(v, [&](int l) { return float(in[l]); }), 0);
      for (const float beyond : {0.0f, 0.25f, 0.5f, -0.5f, 1000.0f}) {
        store_int16(out, v + beyond);
        for (int l = 0; l < W; ++l) ASSERT_EQ(out[l], nearest_int16(float(in[l]) + beyond));
      }
      ASSERT_EQ(out[W], 0);
    }
  }
}

TYPED_TEST(Registers, FusedMultiplyAdd) {
  using T = scalar_t<TypeParam>;
  if constexpr (!std::is_integral_v<T>) {
    for (int trial = 0; trial < 1000; ++trial) {
      const Numbers<T, lane_count<TypeParam>> a, b, c;
      const auto x = a.lanes(), y = b.lanes(), z = c.lanes();
      EXPECT_EQ(wrong(fma(x, y, z), [&](int l) { return std::fma(a.at[l], b.at[l], c.at[l]); }), 0);
      EXPECT_EQ(wrong(negated_fma(x, y, z), [&](int l) { return std::fma(-a.at[l], b.at[l], c.at[l]); }), 0);
    }
  }
}

}  // namespace
}  // namespace trellis
