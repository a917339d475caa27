// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "trellis/su3/algebra.hpp"
#include "trellis/su3/compression.hpp"
#include "trellis/su3/exponential.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis {
namespace {

using Dense = std::array<std::complex<double>, 9>;

template <class S>
Dense lane_of(const Matrix<S>& m, int l) {
  Dense d;
  for (int k = 0; k < 9; ++k) d[k] = {double(lane(m.e[k / 3][k % 3].re, l)), double(lane(m.e[k / 3][k % 3].im, l))};
  return d;
}
Dense times(const Dense& a, const Dense& b) {
  Dense c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return c;
}
Dense dagger(const Dense& a) {
  Dense c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = std::conj(a[3 * j + i]);
  return c;
}
double distance(const Dense& a, const Dense& b) {
  double d = 0;
  for (int k = 0; k < 9; ++k) d = std::max(d, std::abs(a[k] - b[k]));
  return d;
}

// exp(i h) in long double: Taylor series of i h / 64, squared six times.
Dense exponential(const Dense& h) {
  using Wide = std::complex<long double>;
  using WideMatrix = std::array<Wide, 9>;
  const auto product = [](const WideMatrix& a, const WideMatrix& b) {
    WideMatrix c{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
    return c;
  };
  WideMatrix sum{}, term{}, x;
  for (int k = 0; k < 9; ++k) x[k] = Wide(0, 1.0L / 64) * Wide(h[k]);
  for (int i = 0; i < 3; ++i) sum[4 * i] = term[4 * i] = 1;
  for (int n = 1; n < 60; ++n) {
    term = product(term, x);
    for (int k = 0; k < 9; ++k) sum[k] += (term[k] /= Wide(n));
  }
  for (int k = 0; k < 6; ++k) sum = product(sum, sum);
  Dense d;
  for (int k = 0; k < 9; ++k) d[k] = {double(sum[k].real()), double(sum[k].imag())};
  return d;
}

template <class S>
struct Colour : public ::testing::Test {
  using T = scalar_t<S>;
  static constexpr double epsilon = sizeof(T) == 8 ? 1e-15 : 5e-7;
  std::mt19937_64 generator{5};
  std::normal_distribution<double> normal;

  Matrix<S> random_matrix() {
    Matrix<S> m = Matrix<S>::zero();
    for (auto& row : m.e)
      for (auto& z : row)
        for (int l = 0; l < lane_count<S>; ++l) {
          set_lane(z.re, l, T(normal(generator)));
          set_lane(z.im, l, T(normal(generator)));
        }
    return m;
  }
  Algebra<S> random_algebra(double size) {
    Algebra<S> a;
    for (auto& p : a.p) {
      p = S(T(0));
      for (int l = 0; l < lane_count<S>; ++l) set_lane(p, l, T(size * normal(generator)));
    }
    return a;
  }
  Matrix<S> random_su3() { return exp_i(to_matrix(random_algebra(2))); }
};
using LaneTypes = ::testing::Types<double, simd<double, 8>, simd<double, 16>, float, simd<float, 16>>;
TYPED_TEST_SUITE(Colour, LaneTypes);

TYPED_TEST(Colour, ProductsAgreeWithDense) {
  using S = TypeParam;
  const auto a = this->random_matrix(), b = this->random_matrix(), c = this->random_matrix();
  const double tolerance = 20 * this->epsilon;
  for (int l = 0; l < lane_count<S>; ++l) {
    const Dense x = lane_of(a, l), y = lane_of(b, l), z = lane_of(c, l);
    auto plus = [&](Dense d) {
      for (int k = 0; k < 9; ++k) d[k] += z[k];
      return d;
    };
    EXPECT_LT(distance(lane_of(a * b, l), times(x, y)), tolerance);
    EXPECT_LT(distance(lane_of(multiply_adjoint(a, b), l), times(x, dagger(y))), tolerance);
    EXPECT_LT(distance(lane_of(adjoint_multiply(a, b), l), times(dagger(x), y)), tolerance);
    EXPECT_LT(distance(lane_of(multiply_add(a, b, c), l), plus(times(x, y))), tolerance);
    EXPECT_LT(distance(lane_of(multiply_adjoint_add(a, b, c), l), plus(times(x, dagger(y)))), tolerance);
    EXPECT_LT(distance(lane_of(adjoint_multiply_add(a, b, c), l), plus(times(dagger(x), y))), tolerance);
    const Dense p = times(x, dagger(y));
    EXPECT_NEAR(lane(real_trace_adjoint(a, b), l), (p[0] + p[4] + p[8]).real(), tolerance);
    EXPECT_NEAR(lane(trace(a).im, l), (x[0] + x[4] + x[8]).imag(), tolerance);
  }
}

TYPED_TEST(Colour, AlgebraIsOrthonormal) {
  using S = TypeParam;
  const auto a = this->random_algebra(1);
  const Matrix<S> h = to_matrix(a);
  // Im tr(T_a i H) = tr(T_a H) = p_a / 2
  Matrix<S> ih;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) ih.e[i][j] = times_i(h.e[i][j]);
  const auto back = imaginary_trace(ih);
  for (int l = 0; l < lane_count<S>; ++l) {
    for (int k = 0; k < 8; ++k) EXPECT_NEAR(2 * lane(back.p[k], l), lane(a.p[k], l), 5 * this->epsilon);
    EXPECT_NEAR(lane(trace(h).re, l), 0, 3 * this->epsilon);
    EXPECT_NEAR(2 * lane(real_trace_adjoint(h, h), l), lane(norm(a), l), 50 * this->epsilon);
  }
}

TYPED_TEST(Colour, ExponentialForSmallAndLargeNorms) {
  using S = TypeParam;
  for (const double size : {0.0, 1e-6, 0.1, 0.5, 3.0, 12.0}) {
    const Matrix<S> h = to_matrix(this->random_algebra(size));
    const Matrix<S> u = exp_i(h);
    for (int l = 0; l < lane_count<S>; ++l)
      EXPECT_LT(distance(lane_of(u, l), exponential(lane_of(h, l))), (4 + 40 * size) * this->epsilon) << size;
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(u), 0))), (8 + 40 * size) * this->epsilon);
  }
}

TYPED_TEST(Colour, LanesDoNotKnowEachOther) {
  using S = TypeParam;
  if constexpr (lane_count < S >> 1) {
    const auto a = this->random_algebra(3);
    const Matrix<S> u = exp_i(to_matrix(a)), v = project_polar(this->random_matrix() + u);
    for (int l = 0; l < lane_count<S>; ++l) {
      Algebra<scalar_t<S>> one;
      for (int k = 0; k < 8; ++k) one.p[k] = lane(a.p[k], l);
      const auto single = exp_i(to_matrix(one));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          EXPECT_EQ(lane(u.e[i][j].re, l), single.e[i][j].re);
          EXPECT_EQ(lane(u.e[i][j].im, l), single.e[i][j].im);
        }
    }
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(v), 1))), 10 * this->epsilon);
  }
}

TYPED_TEST(Colour, ReunitariseMendsAndKeeps) {
  using S = TypeParam;
  const auto u = this->random_su3();
  const auto noisy = fma(S(scalar_t<S>(1e-4)), this->random_matrix(), u);
  const auto mended = reunitarise(noisy);
  for (int l = 0; l < lane_count<S>; ++l) {
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(mended), l))), 5 * this->epsilon);
    EXPECT_LT(distance(lane_of(mended, l), lane_of(u, l)), 2e-3);
    EXPECT_LT(distance(lane_of(reunitarise(u), l), lane_of(u, l)), 100 * this->epsilon);
  }
}

TYPED_TEST(Colour, PolarProjectionIsUnitaryAndHermitianFactorIsPositive) {
  using S = TypeParam;
  const auto m = this->random_matrix();
  const auto u = project_polar(m);
  for (int l = 0; l < lane_count<S>; ++l) {
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(u), l))), 10 * this->epsilon);
    // M = e^(i phi) U P with P Hermitian: U^dagger M is Hermitian up to one phase, that of (det M)^(1/3).
    const Dense p = times(dagger(lane_of(u, l)), lane_of(m, l));
    const auto phase = (p[0] + p[4] + p[8]) / std::abs(p[0] + p[4] + p[8]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_LT(std::abs(p[3 * i + j] / phase - std::conj(p[3 * j + i] / phase)), 2000 * this->epsilon);
    EXPECT_GE(phase.real(), 0.5 - 1e-3);
  }
}

TYPED_TEST(Colour, Compression) {
  using S = TypeParam;
  for (int trial = 0; trial < 20; ++trial) {
    const auto u = trial == 0 ? Matrix<S>::one() : this->random_su3();
    S r12[12], r8[8];
    compress12(u, r12);
    compress8(u, r8);
    for (int l = 0; l < lane_count<S>; ++l) {
      EXPECT_LT(distance(lane_of(reconstruct12(r12), l), lane_of(u, l)), 30 * this->epsilon);
      const Dense d = lane_of(u, l);
      const double n = std::norm(d[0]) + std::norm(d[1]);
      EXPECT_LT(distance(lane_of(reconstruct8(r8), l), lane_of(u, l)), 3000 * this->epsilon / n);
    }
  }
}

TYPED_TEST(Colour, InverseAdjoint) {
  using S = TypeParam;
  const auto m = this->random_su3() + this->random_su3();
  const auto one = multiply_adjoint(m, inverse_adjoint(m));
  for (int l = 0; l < lane_count<S>; ++l)
    EXPECT_LT(distance(lane_of(one, l), lane_of(Matrix<S>::one(), l)), 3000 * this->epsilon);
}

}  // namespace
}  // namespace trellis
