// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/random.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

DenseMatrix random_matrix(int n, std::uint64_t seed) {
  Random random(seed);
  DenseMatrix a(n);
  for (Complex& z : a.elements) {
    const double re = random.normal();
    z = Complex(re, random.normal());
  }
  return a;
}

DenseMatrix random_hermitian_matrix(int n, std::uint64_t seed) {
  const DenseMatrix a = random_matrix(n, seed);
  return 0.5 * (a + adjoint(a));
}

TEST(ReferenceDense, ProductsAndAdjoints) {
  const DenseMatrix a = random_matrix(7, 1), b = random_matrix(7, 2), c = random_matrix(7, 3);
  EXPECT_LT(distance((a * b) * c, a * (b * c)), 1e-12);
  EXPECT_LT(distance(adjoint(a * b), adjoint(b) * adjoint(a)), 1e-13);
  EXPECT_LT(std::abs(trace(a * b) - trace(b * a)), 1e-13);
  Complex element = 0.0;
  for (int k = 0; k < 7; ++k) element += a(2, k) * b(k, 5);
  EXPECT_LT(std::abs((a * b)(2, 5) - element), 1e-14);
}

TEST(ReferenceDense, InverseAndSolve) {
  const DenseMatrix a = random_matrix(20, 4);
  EXPECT_LT(distance(a * inverse(a), dense_identity(20)), 1e-11);
  DenseVector x(20);
  for (int i = 0; i < 20; ++i) x[i] = Complex(i, 1.0 / (i + 1));
  const DenseVector y = solve(lu_decomposition(a), a * x);
  for (int i = 0; i < 20; ++i) EXPECT_LT(std::abs(y[i] - x[i]), 1e-11);
}

TEST(ReferenceDense, Determinants) {
  DenseMatrix a(3);
  a.elements = {0, 2, 0, 3, 0, 0, 0, 0, Complex(0.0, 5.0)};  // odd permutation
  EXPECT_LT(std::abs(std::exp(log_determinant(lu_decomposition(a))) + Complex(0.0, 30.0)), 1e-13);
  const DenseMatrix b = random_matrix(9, 5), c = random_matrix(9, 6);
  const auto determinant = [](const DenseMatrix& m) { return std::exp(log_determinant(lu_decomposition(m))); };
  const Complex product = determinant(b) * determinant(c);
  EXPECT_LT(std::abs(determinant(b * c) - product), 1e-11 * std::abs(product));
}

TEST(ReferenceDense, SingularIsAnError) {
  DenseMatrix a(2);
  a.elements = {1, 2, 2, 4};
  EXPECT_THROW(lu_decomposition(a), Error);
  a.elements = {1, 0, 0, -1};
  EXPECT_THROW(cholesky(a), Error);
}

TEST(ReferenceDense, Cholesky) {
  const DenseMatrix b = random_matrix(15, 7), a = b * adjoint(b);
  const DenseMatrix l = cholesky(a);
  EXPECT_LT(distance(l * adjoint(l), a), 1e-12);
  for (int i = 0; i < 15; ++i)
    for (int j = i + 1; j < 15; ++j) EXPECT_EQ(l(i, j), 0.0);
  EXPECT_NEAR(log_determinant_from_cholesky(l), log_determinant(lu_decomposition(a)).real(), 1e-10);
  const double expected = trace(inverse(a)).real();
  EXPECT_NEAR(trace_of_inverse_from_cholesky(l), expected, 1e-11 * expected);
}

void expect_eigensystem(const DenseMatrix& a) {
  const Eigensystem e = hermitian_eigensystem(a);
  EXPECT_TRUE(std::is_sorted(e.values.begin(), e.values.end()));
  EXPECT_LT(distance(e.vectors * adjoint(e.vectors), dense_identity(a.n)), 1e-13 * a.n);
  EXPECT_LT(distance(matrix_function(e, [](double x) { return x; }), a), 1e-13 * a.n);
}

TEST(ReferenceDense, EigenvectorsOfRandomMatrices) {
  for (int n = 1; n <= 6; ++n) expect_eigensystem(random_hermitian_matrix(n, 10 + n));
  expect_eigensystem(random_hermitian_matrix(60, 20));
}

TEST(ReferenceDense, EigenvectorsWhereValuesCoincide) {
  expect_eigensystem(dense_identity(8));
  expect_eigensystem(DenseMatrix(5));
  const DenseMatrix u = hermitian_eigensystem(random_hermitian_matrix(12, 21)).vectors;  // any unitary matrix
  DenseMatrix d(12);
  for (int k = 0; k < 12; ++k) d(k, k) = k / 4;  // 0, 1 and 2, four times each
  const DenseMatrix a = u * d * adjoint(u);
  expect_eigensystem(a);
  const Eigensystem e = hermitian_eigensystem(a);
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(e.values[k], k / 4, 1e-14);
}

TEST(ReferenceDense, EigenvaluesOfTheSecondDifference) {
  // 2 on the diagonal, -exp(+-i a) beside it: 2 - 2 cos(pi k / (n + 1)), whatever a.
  constexpr int n = 25;
  DenseMatrix a(n);
  for (int i = 0; i < n; ++i) {
    a(i, i) = 2.0;
    if (i + 1 < n) a(i + 1, i) = -std::polar(1.0, 0.3 * i);
  }
  const Eigensystem e = hermitian_eigensystem(a);  // reads the lower triangle only
  for (int k = 1; k <= n; ++k)
    EXPECT_NEAR(e.values[k - 1], 2.0 - 2.0 * std::cos(std::numbers::pi * k / (n + 1)), 1e-14);
}

TEST(ReferenceDense, FunctionsOfAMatrix) {
  const DenseMatrix b = random_matrix(10, 22), a = b * adjoint(b) + 0.1 * dense_identity(10);
  const Eigensystem e = hermitian_eigensystem(a);
  const DenseMatrix root = matrix_function(e, [](double x) { return std::pow(x, -0.25); });
  EXPECT_LT(distance(root * root * root * root, inverse(a)), 1e-11);
  DenseVector v(10);
  for (int i = 0; i < 10; ++i) v[i] = Complex(1.0, i);
  const DenseVector x = apply_function(e, [](double t) { return std::pow(t, -0.25); }, v), y = root * v;
  for (int i = 0; i < 10; ++i) EXPECT_LT(std::abs(x[i] - y[i]), 1e-12);
}

}  // namespace
}  // namespace trellis::reference
