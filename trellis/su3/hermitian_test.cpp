// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/su3/hermitian.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trellis {
namespace {

using M = Matrix<double>;

struct HermitianMatrices : public ::testing::Test {
  std::mt19937_64 generator{3};
  std::normal_distribution<double> normal;

  M random() {
    M m;
    for (auto& row : m.e)
      for (auto& z : row) z = {normal(generator), normal(generator)};
    return m;
  }
  Hermitian<double> random_hermitian() {
    Hermitian<double> h;
    for (int k = 0; k < 3; ++k) {
      h.d[k] = normal(generator);
      h.o[k] = {normal(generator), normal(generator)};
    }
    return h;
  }
};

M dense(const Hermitian<double>& h) {
  M m;
  for (int i = 0; i < 3; ++i) m.e[i][i] = complex<double>(h.d[i]);
  m.e[0][1] = h.o[0];
  m.e[0][2] = h.o[1];
  m.e[1][2] = h.o[2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) m.e[i][j] = conj(m.e[j][i]);
  return m;
}
M times_i(const M& a) {
  M b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b.e[i][j] = trellis::times_i(a.e[i][j]);
  return b;
}
double distance(const M& a, const M& b) {
  const M d = a - b;
  return std::sqrt(real_trace_adjoint(d, d));
}

TEST_F(HermitianMatrices, ProductsAgreeWithDense) {
  for (int trial = 0; trial < 10; ++trial) {
    const M u = random();
    const auto a = random_hermitian(), b = random_hermitian();
    const M x = dense(a), y = dense(b);
    const double tolerance = 1e-13;
    EXPECT_LT(distance(u * a, u * x), tolerance);
    EXPECT_LT(distance(a * u, x * u), tolerance);
    EXPECT_LT(distance(dense(rotated(u, a)), u * x * adjoint(u)), tolerance);
    EXPECT_LT(distance(dense(rotated_back(u, a)), adjoint(u) * x * u), tolerance);
    EXPECT_LT(distance(dense(commutator(a, b)), times_i(x * y - y * x)), tolerance);
    EXPECT_LT(distance(dense(anticommutator(a, b)), x * y + y * x), tolerance);
    EXPECT_LT(distance(dense(a + b), x + y), tolerance);
    EXPECT_LT(distance(dense(a - b), x - y), tolerance);
  }
}

TEST_F(HermitianMatrices, PartsAndCoefficients) {
  const M w = random();
  Hermitian<double> a, b;
  twice_hermitian_parts(w, a, b);
  EXPECT_LT(distance(0.5 * (dense(a) + times_i(dense(b))), w), 1e-15);
  Algebra<double> p;
  for (double& x : p.p) x = normal(generator);
  EXPECT_EQ(distance(dense(to_hermitian(p)), to_matrix(p)), 0);
  const auto back = to_algebra(to_hermitian(p));
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(back.p[k], p.p[k], 1e-15);
}

}  // namespace
}  // namespace trellis
