// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/colour.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis {
namespace {

using namespace trellis::testing;

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

// Compiled once for each type, as in colour.hpp.
template <class S>
[[gnu::noinline]] Matrix<S> exp_i_of(const Matrix<S>& h) {
  return exp_i(h);
}

template <class S>
struct ColourMatrix : Colour<S> {};
TYPED_TEST_SUITE(ColourMatrix, LaneTypes);

TYPED_TEST(ColourMatrix, ProductsAgreeWithDense) {
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

TYPED_TEST(ColourMatrix, AlgebraIsOrthonormal) {
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

TYPED_TEST(ColourMatrix, ExponentialForSmallAndLargeNorms) {
  using S = TypeParam;
  for (const double size : {0.0, 1e-6, 0.1, 0.5, 3.0, 12.0}) {
    const Matrix<S> h = to_matrix(this->random_algebra(size));
    const Matrix<S> u = exp_i_of(h);
    for (int l = 0; l < lane_count<S>; ++l)
      EXPECT_LT(distance(lane_of(u, l), exponential(lane_of(h, l))), (4 + 40 * size) * this->epsilon) << size;
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(u), 0))), (8 + 40 * size) * this->epsilon);
  }
}

TYPED_TEST(ColourMatrix, LanesDoNotKnowEachOther) {
  using S = TypeParam;
  if constexpr (lane_count < S >> 1) {
    const auto a = this->random_algebra(3);
    const Matrix<S> u = exp_i_of(to_matrix(a)), v = project_polar(this->random_matrix() + u);
    for (int l = 0; l < lane_count<S>; ++l) {
      Algebra<scalar_t<S>> one;
      for (int k = 0; k < 8; ++k) one.p[k] = lane(a.p[k], l);
      const auto single = exp_i_of(to_matrix(one));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          EXPECT_EQ(lane(u.e[i][j].re, l), single.e[i][j].re);
          EXPECT_EQ(lane(u.e[i][j].im, l), single.e[i][j].im);
        }
    }
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(v), 1))), 10 * this->epsilon);
  }
}

}  // namespace
}  // namespace trellis
