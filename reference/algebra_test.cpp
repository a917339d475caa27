// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/random.hpp"

namespace trellis::reference {
namespace {

Matrix any_matrix(Random& random) {
  Matrix m;
  for (Complex& z : m) z = Complex(random.normal(), random.normal());
  return m;
}

TEST(ReferenceAlgebra, GeneratorsAreHermitianTracelessAndOrthogonal) {
  for (int a = 0; a < 8; ++a) {
    EXPECT_EQ(distance(generator(a), adjoint(generator(a))), 0.0);
    EXPECT_NEAR(std::abs(trace(generator(a))), 0.0, 1e-16);
    for (int b = 0; b < 8; ++b)
      EXPECT_NEAR(std::abs(trace(generator(a) * generator(b)) - (a == b ? 0.5 : 0.0)), 0.0, 1e-15);
  }
}

TEST(ReferenceAlgebra, CommutatorsGiveTheKnownStructureConstants) {
  // [T_a, T_b] = i f_abc T_c with (counted from 1) f_123 = 1, f_147 = 1/2, f_458 = sqrt(3)/2.
  const auto f = [](int a, int b, int c) {
    const Matrix commutator = generator(a) * generator(b) - generator(b) * generator(a);
    return (Complex(0.0, -2.0) * trace(commutator * generator(c))).real();
  };
  EXPECT_NEAR(f(0, 1, 2), 1.0, 1e-15);
  EXPECT_NEAR(f(0, 3, 6), 0.5, 1e-15);
  EXPECT_NEAR(f(3, 4, 7), std::sqrt(3.0) / 2.0, 1e-15);
}

TEST(ReferenceAlgebra, CoefficientsInvertTheExpansion) {
  const std::array<double, 8> p = {0.3, -1.2, 2.5, 0.7, -0.1, 1.9, -2.2, 0.4};
  const Matrix h = from_coefficients(p);
  double sum = 0.0;
  for (int a = 0; a < 8; ++a) {
    EXPECT_NEAR(coefficients(h)[a], p[a], 1e-14);
    sum += p[a] * p[a];
  }
  EXPECT_NEAR(trace(h * h).real(), sum / 2.0, 1e-13);
}

TEST(ReferenceAlgebra, InverseAndDeterminant) {
  Random random(1);
  const Matrix a = any_matrix(random), b = any_matrix(random);
  EXPECT_LT(distance(a * inverse(a), identity()), 1e-13);
  EXPECT_LT(std::abs(determinant(a * b) - determinant(a) * determinant(b)), 1e-12);
}

TEST(ReferenceAlgebra, ExponentialOfADiagonalMatrix) {
  Matrix d{};
  d(0, 0) = Complex(0.0, 2.0);
  d(1, 1) = Complex(-1.0, 0.5);
  d(2, 2) = 3.0;
  const Matrix e = exponential(d);
  for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(e(i, i) - std::exp(d(i, i))), 1e-13 * std::abs(std::exp(d(i, i))));
}

TEST(ReferenceAlgebra, ExponentialRotatesInASubgroup) {
  // exp(i theta lambda_2) is a rotation of the first two colours.
  const double theta = 0.83;
  const Matrix u = exponential(Complex(0.0, 2.0 * theta) * generator(1));
  EXPECT_NEAR(u(0, 0).real(), std::cos(theta), 1e-15);
  EXPECT_NEAR(u(0, 1).real(), std::sin(theta), 1e-15);
  EXPECT_NEAR(u(1, 0).real(), -std::sin(theta), 1e-15);
  EXPECT_NEAR(u(2, 2).real(), 1.0, 1e-15);
}

TEST(ReferenceAlgebra, ExponentialOfAntihermitianIsSu3AndItsInverseIsItsAdjoint) {
  Random random(2);
  const Matrix a = traceless_antihermitian(any_matrix(random));
  EXPECT_LT(distance_from_su3(exponential(a)), 1e-13);
  EXPECT_LT(distance(exponential(-1.0 * a), adjoint(exponential(a))), 1e-14);
}

TEST(ReferenceAlgebra, HermitianAndAntihermitianPartsAddUp) {
  Random random(3);
  const Matrix a = any_matrix(random);
  const Matrix h = traceless_hermitian(a), k = traceless_antihermitian(a);
  EXPECT_LT(distance(h, adjoint(h)), 1e-15);
  EXPECT_LT(distance(k, -1.0 * adjoint(k)), 1e-15);
  EXPECT_LT(distance(h + k + trace(a) / 3.0 * identity(), a), 1e-15);
}

TEST(ReferenceAlgebra, ReunitariseKeepsTheFirstRowsDirectionAndSu3) {
  Random random(4);
  const Matrix a = any_matrix(random);
  const Matrix u = reunitarise(a);
  EXPECT_LT(distance_from_su3(u), 1e-14);
  EXPECT_LT(std::abs(u(0, 0) / u(0, 1) - a(0, 0) / a(0, 1)), 1e-14);
  EXPECT_LT(distance(reunitarise(u), u), 1e-15);
}

TEST(ReferenceAlgebra, PolarProjectionIsTheNearestUnitary) {
  Random random(5);
  const Matrix a = any_matrix(random);
  const Matrix u = project_su3(a);
  EXPECT_LT(distance_from_su3(u), 1e-13);
  // u = phase * w with w^+ a Hermitian and positive.
  const Complex phase = std::polar(1.0, -std::arg(determinant(a)) / 3.0);
  const Matrix h = phase * (adjoint(u) * a);
  EXPECT_LT(distance(h, adjoint(h)), 1e-13);
  EXPECT_GT(trace(h).real(), 0.0);
  EXPECT_GT(determinant(h).real(), 0.0);
}

}  // namespace
}  // namespace trellis::reference
