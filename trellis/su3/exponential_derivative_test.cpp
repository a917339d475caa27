// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/su3/exponential_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "trellis/su3/exponential.hpp"

namespace trellis {
namespace {

using Wide = std::complex<long double>;
using Coefficients = std::array<double, 8>;

// N x N matrices in long double.
template <int N>
struct Dense {
  Wide e[N][N] = {};
};
template <int N>
Dense<N> operator*(const Dense<N>& a, const Dense<N>& b) {
  Dense<N> c;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) c.e[i][j] += a.e[i][k] * b.e[k][j];
  return c;
}
// Taylor series of x / 64, squared six times.
template <int N>
Dense<N> exponential(Dense<N> x) {
  Dense<N> sum, term;
  for (int i = 0; i < N; ++i) {
    sum.e[i][i] = term.e[i][i] = 1;
    for (int j = 0; j < N; ++j) x.e[i][j] /= 64.0L;
  }
  for (int n = 1; n < 40; ++n) {
    term = term * x;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) sum.e[i][j] += (term.e[i][j] /= Wide(n));
  }
  for (int k = 0; k < 6; ++k) sum = sum * sum;
  return sum;
}
Dense<3> dense(const Coefficients& p) {
  Algebra<double> a;
  for (int k = 0; k < 8; ++k) a.p[k] = p[k];
  const Matrix<double> m = to_matrix(a);
  Dense<3> d;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) d.e[i][j] = {m.e[i][j].re, m.e[i][j].im};
  return d;
}

// p_a = 2 tr(G dR_a) for dQ = T_a, with d exp(i Q) as the upper right block of exp([[i Q, i dQ], [0, i Q]]).
Coefficients transpose_by_blocks(const Coefficients& q, const Coefficients& g) {
  const Dense<3> matrix = dense(q), weight = dense(g);
  Coefficients l;
  for (int a = 0; a < 8; ++a) {
    Coefficients unit{};
    unit[a] = 1;
    const Dense<3> direction = dense(unit);
    Dense<6> block;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        block.e[i][j] = block.e[3 + i][3 + j] = Wide(0, 1) * matrix.e[i][j];
        block.e[i][3 + j] = Wide(0, 1) * direction.e[i][j];
      }
    const Dense<6> all = exponential(block);
    Dense<3> change, inverse;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        change.e[i][j] = all.e[i][3 + j];
        inverse.e[i][j] = std::conj(all.e[j][i]);
      }
    const Dense<3> product = weight * change * inverse;
    const Wide trace = product.e[0][0] + product.e[1][1] + product.e[2][2];
    l[a] = double(2 * (Wide(0, -1) * trace).real());
  }
  return l;
}

struct Case {
  const char* name;
  Coefficients q;
};

std::vector<Case> cases() {
  std::mt19937_64 generator{11};
  std::normal_distribution<double> normal;
  std::vector<Case> all{{"zero", {}},
                        {"two equal eigenvalues", {0, 0, 0, 0, 0, 0, 0, 1.3}},
                        {"two equal, negative", {0, 0, 0, 0, 0, 0, 0, -0.7}},
                        {"nearly equal", {1e-9, 0, 0, 0, 0, 2e-8, 0, 1.1}},
                        {"one eigenvalue zero", {0, 0, 0.9, 0, 0, 0, 0, 0}},
                        {"edge of the bound", {0, 0, 0, 0, 0, 0, 0, -3.5 * std::sqrt(3.0)}}};
  for (const double size : {1e-160, 1e-12, 1e-4, 0.1, 0.3, 1.0}) {
    Case c{"random", {}};
    for (double& p : c.q) p = size * normal(generator);
    all.push_back(c);
  }
  return all;
}

Coefficients weights() { return {0.3, -1.1, 0.7, 0.2, 1.9, -0.4, 0.8, -1.5}; }

template <class S>
Algebra<S> in_lanes(const std::vector<Case>& all, std::size_t first) {
  Algebra<S> a;
  for (int k = 0; k < 8; ++k)
    for (int l = 0; l < lane_count<S>; ++l)
      set_lane(a.p[k], l, scalar_t<S>(all[(first + std::size_t(l)) % all.size()].q[k]));
  return a;
}

// Compiled once for each type: inlined into every test it takes most of the time to compile them.
template <class S>
[[gnu::noinline]] Algebra<S> transpose(const Algebra<S>& q, const Algebra<S>& g, int terms) {
  return exponential_transpose(q, g, terms);
}

constexpr double bound = 4;

template <class S>
struct ExponentialDerivative : public ::testing::Test {
  static constexpr double epsilon = sizeof(scalar_t<S>) == 8 ? 1e-15 : 5e-7;
};
using LaneTypes = ::testing::Types<double, simd<double, 8>, float, simd<float, 16>>;
TYPED_TEST_SUITE(ExponentialDerivative, LaneTypes);

TYPED_TEST(ExponentialDerivative, TransposeAgreesWithBlocks) {
  using S = TypeParam;
  using T = scalar_t<S>;
  const auto all = cases();
  Algebra<S> g;
  for (int k = 0; k < 8; ++k) g.p[k] = S(T(weights()[k]));
  for (std::size_t first = 0; first < all.size(); ++first) {
    const auto l = transpose(in_lanes<S>(all, first), g, exponential_terms<T>(bound));
    const auto expected = transpose_by_blocks(all[first].q, weights());
    for (int k = 0; k < 8; ++k) EXPECT_NEAR(lane(l.p[k], 0), expected[k], 30 * this->epsilon) << all[first].name;
  }
}

TYPED_TEST(ExponentialDerivative, ExponentialAgrees) {
  using S = TypeParam;
  using T = scalar_t<S>;
  const auto all = cases();
  for (std::size_t first = 0; first < all.size(); ++first) {
    const auto q = in_lanes<S>(all, first);
    const auto e = bounded_exponential(q, exponential_terms<T>(bound));
    Dense<3> iq = dense(all[first].q);
    for (auto& row : iq.e)
      for (auto& z : row) z *= Wide(0, 1);
    const Dense<3> expected = exponential(iq);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(lane(e.e[i][j].re, 0), double(expected.e[i][j].real()), 20 * this->epsilon) << all[first].name;
        EXPECT_NEAR(lane(e.e[i][j].im, 0), double(expected.e[i][j].imag()), 20 * this->epsilon) << all[first].name;
      }
  }
}

TYPED_TEST(ExponentialDerivative, FewTermsSufficeForASmallBound) {
  using S = TypeParam;
  using T = scalar_t<S>;
  for (const double small : {0.0, 0.01, 0.7, 2.0}) {
    const std::vector<Case> edge{{"edge", {0.1 * small, 0, 0, 0, 0, 0, 0.1 * small, 1.6 * small}}};
    const auto q = in_lanes<S>(edge, 0);
    Algebra<S> g;
    for (int k = 0; k < 8; ++k) g.p[k] = S(T(weights()[k]));
    const int few = exponential_terms<T>(small), many = exponential_terms<T>(bound);
    EXPECT_LT(few, many);
    const auto l = transpose(q, g, few), more = transpose(q, g, many);
    for (int k = 0; k < 8; ++k) EXPECT_NEAR(lane(l.p[k], 0), lane(more.p[k], 0), 5 * this->epsilon) << small;
  }
}

TYPED_TEST(ExponentialDerivative, LanesDoNotKnowEachOther) {
  using S = TypeParam;
  using T = scalar_t<S>;
  const auto all = cases();
  const auto q = in_lanes<S>(all, 0);
  Algebra<S> g;
  for (int k = 0; k < 8; ++k) g.p[k] = S(T(weights()[k]));
  const auto together = transpose(q, g, exponential_terms<T>(bound));
  for (int l = 0; l < lane_count<S>; ++l) {
    Algebra<T> one, weight;
    for (int k = 0; k < 8; ++k) {
      one.p[k] = lane(q.p[k], l);
      weight.p[k] = T(weights()[k]);
    }
    const auto alone = transpose(one, weight, exponential_terms<T>(bound));
    for (int k = 0; k < 8; ++k) EXPECT_EQ(lane(together.p[k], l), alone.p[k]);
  }
}

TEST(HermitianPart, UndoesToMatrix) {
  Algebra<double> a;
  for (int k = 0; k < 8; ++k) a.p[k] = weights()[k];
  Matrix<double> m = to_matrix(a);
  m.e[0][1] += complex<double>{0.3, -0.2};  // an anti-Hermitian part and a trace, which must have no effect
  m.e[1][0] -= complex<double>{0.3, 0.2};
  for (int i = 0; i < 3; ++i) m.e[i][i] += complex<double>{0.7, 0.1 * i};
  const auto back = hermitian_part(m);
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(back.p[k], a.p[k], 1e-15);
}

}  // namespace
}  // namespace trellis
