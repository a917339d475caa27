// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "trellis/core/complex.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/sums/exact_sum.hpp"

namespace trellis {
namespace {

template <class S>
class Lanes : public ::testing::Test {};
using LaneTypes = ::testing::Types<double, simd<double, 2>, simd<double, 4>, simd<double, 8>, simd<double, 16>, float,
                                   simd<float, 4>, simd<float, 8>, simd<float, 16>, simd<float, 32>>;
TYPED_TEST_SUITE(Lanes, LaneTypes);

template <class S>
S make(scalar_t<S> first, scalar_t<S> step) {
  S v = S(scalar_t<S>(0));
  for (int l = 0; l < lane_count<S>; ++l) set_lane(v, l, first + scalar_t<S>(l) * step);
  return v;
}

TYPED_TEST(Lanes, ArithmeticIsThatOfScalars) {
  using S = TypeParam;
  using T = scalar_t<S>;
  const S a = make<S>(T(1.1), T(0.3)), b = make<S>(T(-0.7), T(0.21)), c = make<S>(T(5.3), T(-0.9));
  const S d = fma(a, b, c), e = a * b + c, f = select(a * b < c, a / b, sqrt(abs(c)));
  for (int l = 0; l < lane_count<S>; ++l) {
    const T x = lane(a, l), y = lane(b, l), z = lane(c, l);
    EXPECT_EQ(lane(d, l), std::fma(x, y, z));
    const T product = x * y;
    EXPECT_EQ(lane(e, l), product + z);
    EXPECT_EQ(lane(f, l), product < z ? x / y : std::sqrt(std::abs(z)));
    EXPECT_EQ(lane(-a, l), -x);
    EXPECT_EQ(lane(abs(b), l), std::abs(y));
  }
}

TYPED_TEST(Lanes, LoadStorePermute) {
  using S = TypeParam;
  using T = scalar_t<S>;
  constexpr int W = lane_count<S>;
  alignas(128) T in[W], out[W];
  std::int32_t from[W];
  for (int l = 0; l < W; ++l) {
    in[l] = T(l) + T(0.5);
    from[l] = (l + W / 2 + 1) % W;
  }
  const S v = permute(load_lanes<S>(in), from);
  store_lanes(out, v);
  for (int l = 0; l < W; ++l) EXPECT_EQ(out[l], in[from[l]]);
  stream_lanes(out, load_lanes<S>(in));
  for (int l = 0; l < W; ++l) EXPECT_EQ(out[l], in[l]);
}

TYPED_TEST(Lanes, Int16) {
  using S = TypeParam;
  if constexpr (std::is_same_v<scalar_t<S>, float>) {
    constexpr int W = lane_count<S>;
    std::int16_t stored[W + 1] = {};
    for (const float value : {0.0f, 0.5f, 1.5f, -2.5f, 2.51f, 32766.5f, 32767.0f, -32767.4f, -32768.0f, 1e6f, -1e6f}) {
      const S v = make<S>(value, 0.25f);
      store_int16(stored, v);
      const S back = load_int16<S>(stored);
      for (int l = 0; l < W; ++l) {
        const float exact = std::clamp(std::nearbyint(lane(v, l)), -32768.0f, 32767.0f);
        EXPECT_EQ(stored[l], exact);
        EXPECT_EQ(lane(back, l), exact);
      }
      EXPECT_EQ(stored[W], 0);
    }
    store_int16(stored, S(std::nanf("")));
    EXPECT_EQ(stored[0], -32768);
  }
}

TYPED_TEST(Lanes, ComplexProduct) {
  using S = TypeParam;
  using T = scalar_t<S>;
  const complex<S> a{make<S>(T(1), T(0.5)), make<S>(T(-2), T(0.25))}, b{make<S>(T(0.5), T(1)), make<S>(T(3), T(-1))};
  const complex<S> c = a * b, d = fma_conj(a, b, c);
  for (int l = 0; l < lane_count<S>; ++l) {
    const std::complex<double> x(lane(a.re, l), lane(a.im, l)), y(lane(b.re, l), lane(b.im, l));
    EXPECT_EQ(lane(c.re, l), T((x * y).real()));  // small dyadic numbers: exact
    EXPECT_EQ(lane(c.im, l), T((x * y).imag()));
    EXPECT_EQ(lane(d.re, l), T((x * y + std::conj(x) * y).real()));
    EXPECT_EQ(lane(d.im, l), T((x * y + std::conj(x) * y).imag()));
  }
}

TEST(Mask, AnyAndAll) {
  const auto v = make<simd<double, 8>>(0, 1);
  EXPECT_TRUE(any(v > simd<double, 8>(6.5)));
  EXPECT_FALSE(any(v > simd<double, 8>(7.5)));
  EXPECT_TRUE(all(v >= simd<double, 8>(0.0)));
  EXPECT_FALSE(all(v > simd<double, 8>(0.0)));
}

TEST(Math, LogarithmAndSinesAgreeWithLongDouble) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 20000; ++i) {
    const double u = unit(generator), x = std::exp(700 * (2 * u - 1));
    for (const double y : {u, x, 1 + 1e-3 * (u - 0.5)}) {
      const double exact = double(std::log(static_cast<long double>(y)));
      EXPECT_NEAR(log(y), exact, std::abs(exact) * 0x1p-51) << y;
    }
    double s, c;
    sincospi(2 * u, s, c);
    EXPECT_NEAR(s, double(std::sin(2 * 3.14159265358979323846264338328L * u)), 0x1p-52) << u;
    EXPECT_NEAR(c, double(std::cos(2 * 3.14159265358979323846264338328L * u)), 0x1p-52) << u;
  }
}

template <int W>
void expect_same_bits_as_scalar() {
  using S = simd<double, W>;
  const RandomStream stream{123456789012345ULL, 17, RandomPurpose::test};
  std::int64_t sites[W];
  for (int l = 0; l < W; ++l) sites[l] = 1000003LL * (l + 1) * (l + 7);
  S a, b;
  for (std::uint32_t draw = 0; draw < 500; ++draw) {
    normal_lanes(stream, sites, draw, a, b);
    for (int l = 0; l < W; ++l) {
      double x, y;
      normal_lanes(stream, &sites[l], draw, x, y);
      ASSERT_EQ(lane(a, l), x);
      ASSERT_EQ(lane(b, l), y);
    }
  }
}
TEST(Random, NormalNumbersDoNotDependOnLanes) {
  expect_same_bits_as_scalar<2>();
  expect_same_bits_as_scalar<4>();
  expect_same_bits_as_scalar<8>();
  expect_same_bits_as_scalar<16>();
}

TEST(Random, Moments) {
  const RandomStream stream{42, 0, RandomPurpose::test};
  double sum1 = 0, sum2 = 0, sum4 = 0, cross = 0;
  const int n = 200000;
  for (std::int64_t i = 0; i < n; ++i) {
    double a, b;
    normal_lanes(stream, &i, 0, a, b);
    sum1 += a + b;
    sum2 += a * a + b * b;
    sum4 += a * a * a * a + b * b * b * b;
    cross += a * b;
  }
  EXPECT_NEAR(sum1 / (2 * n), 0, 5 / std::sqrt(2.0 * n));
  EXPECT_NEAR(sum2 / (2 * n), 1, 5 * std::sqrt(2 / (2.0 * n)));
  EXPECT_NEAR(sum4 / (2 * n), 3, 5 * std::sqrt(96 / (2.0 * n)));
  EXPECT_NEAR(cross / n, 0, 5 / std::sqrt(1.0 * n));
}

// Known answer of Random123's own test vectors for philox4x32-10: zero counter and key.
TEST(Random, PhiloxKnownAnswer) {
  const auto w = r123::Philox4x32_R<10>()({{0, 0, 0, 0}}, {{0, 0}});
  EXPECT_EQ(w[0], 0x6627e8d5u);
  EXPECT_EQ(w[1], 0xe169c58du);
  EXPECT_EQ(w[2], 0xbc57ac4cu);
  EXPECT_EQ(w[3], 0x9b00dbd8u);
}

std::vector<double> wild_terms(int n) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::uniform_int_distribution<int> exponent(-60, 60);
  std::vector<double> terms;
  for (int i = 0; i < n; ++i) terms.push_back(std::ldexp(unit(generator), exponent(generator)));
  return terms;
}

template <class S>
ExactSum sum_by_lanes(const std::vector<double>& terms, std::size_t merge_every) {
  ExactSum total;
  ExactAccumulator<S> local;
  std::size_t count = 0;
  for (std::size_t i = 0; i + lane_count<S> <= terms.size(); i += lane_count<S>) {
    S v = S(0.0);
    for (int l = 0; l < lane_count<S>; ++l) set_lane(v, l, terms[i + l]);
    local.add(v);
    if (++count % merge_every == 0) {
      total.add(local);
      local = {};
    }
  }
  total.add(local);
  return total;
}

TEST(ExactSum, DoesNotDependOnOrderLanesOrGrouping) {
  auto terms = wild_terms(4096);
  const double expected = sum_by_lanes<double>(terms, 1).value();
  std::mt19937_64 generator(11);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(terms.begin(), terms.end(), generator);
    EXPECT_EQ((sum_by_lanes<double>(terms, 7).value()), expected);
    EXPECT_EQ((sum_by_lanes<simd<double, 4>>(terms, 3).value()), expected);
    EXPECT_EQ((sum_by_lanes<simd<double, 8>>(terms, 100).value()), expected);
    EXPECT_EQ((sum_by_lanes<simd<double, 16>>(terms, 5).value()), expected);
  }
}

// A term near one unit of the lowest bin counts the same whether it is added before or after the large term.
TEST(ExactSum, SmallTermsBesideLargeOnes) {
  for (const double small : {0.3, 0.5, 0.7, 1.0, 1.5, 0x1p26 * 0.7, 0x1p-26 * 0.7}) {
    const std::vector<double> terms = {0x1p60, small, -0x1p60};
    EXPECT_EQ(sum_by_lanes<double>(terms, 1).value(), sum_by_lanes<double>(terms, 3).value()) << small;
  }
}

TEST(ExactSum, IsAccurate) {
  const auto terms = wild_terms(100000);
  long double exact = 0;
  double largest = 0;
  for (const double t : terms) {
    exact += t;
    largest = std::max(largest, std::abs(t));
  }
  EXPECT_NEAR(sum_by_lanes<double>(terms, 1000).value(), double(exact), largest * 0x1p-52 * std::sqrt(1e5));
  ExactSum cancelling;
  cancelling.add(1e20);
  cancelling.add(3.0);
  cancelling.add(-1e20);
  EXPECT_EQ(cancelling.value(), 3.0);
}

// The top that is computed directly is the one that a search finds.
TEST(ExactSum, TopIsTheLowestWhoseLimitHolds) {
  using namespace exact_sum_detail;
  for (int j = lowest_top; j < highest_top; ++j) {
    EXPECT_EQ(top_for(limit(j)), j);
    EXPECT_EQ(top_for(std::nextafter(limit(j), 0.0)), j);
    EXPECT_EQ(top_for(std::nextafter(limit(j), INFINITY)), j + 1);
  }
  for (const double tiny : {0.0, 0x1p-1074, 0x1p-1022}) EXPECT_LT(top_for(tiny), lowest_top);
}

TEST(ExactSum, NotANumberIsNotHidden) {
  ExactSum sum;
  sum.add(1.0);
  sum.add(std::nan(""));
  sum.add(2.0);
  EXPECT_TRUE(std::isnan(sum.value()));
  ExactSum infinite;
  infinite.add(1e308 * 10);
  EXPECT_TRUE(std::isnan(infinite.value()));
}

}  // namespace
}  // namespace trellis
