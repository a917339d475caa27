// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/algebra.hpp"

#include <cmath>

namespace trellis::reference {

Matrix zero_matrix() { return Matrix{}; }

Matrix identity() {
  Matrix one{};
  for (int i = 0; i < 3; ++i) one(i, i) = 1.0;
  return one;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  Matrix c;
  for (int i = 0; i < 9; ++i) c[i] = a[i] + b[i];
  return c;
}

Matrix operator-(const Matrix& a, const Matrix& b) {
  Matrix c;
  for (int i = 0; i < 9; ++i) c[i] = a[i] - b[i];
  return c;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

Matrix operator*(Complex s, const Matrix& a) {
  Matrix c;
  for (int i = 0; i < 9; ++i) c[i] = s * a[i];
  return c;
}

Matrix adjoint(const Matrix& a) {
  Matrix c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = std::conj(a(j, i));
  return c;
}

Complex trace(const Matrix& a) { return a(0, 0) + a(1, 1) + a(2, 2); }

namespace {

// Determinant of a without row i and column j, with the sign (-1)^(i+j).
Complex cofactor(const Matrix& a, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  return a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1);
}

}  // namespace

Complex determinant(const Matrix& a) {
  Complex sum = 0.0;
  for (int j = 0; j < 3; ++j) sum += a(0, j) * cofactor(a, 0, j);
  return sum;
}

Matrix inverse(const Matrix& a) {
  Matrix c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = cofactor(a, j, i) / determinant(a);
  return c;
}

double norm(const Matrix& a) {
  double sum = 0.0;
  for (const Complex& z : a) sum += std::norm(z);
  return std::sqrt(sum);
}

double distance(const Matrix& a, const Matrix& b) { return norm(a - b); }

double distance_from_su3(const Matrix& a) {
  return distance(a * adjoint(a), identity()) + std::abs(determinant(a) - 1.0);
}

Matrix generator(int a) {
  const Complex i(0.0, 1.0);
  const double r = 1.0 / std::sqrt(3.0);
  const std::array<Matrix, 8> gell_mann = {
      Matrix{{0, 1, 0, 1, 0, 0, 0, 0, 0}},  Matrix{{0, -i, 0, i, 0, 0, 0, 0, 0}},
      Matrix{{1, 0, 0, 0, -1, 0, 0, 0, 0}}, Matrix{{0, 0, 1, 0, 0, 0, 1, 0, 0}},
      Matrix{{0, 0, -i, 0, 0, 0, i, 0, 0}}, Matrix{{0, 0, 0, 0, 0, 1, 0, 1, 0}},
      Matrix{{0, 0, 0, 0, 0, -i, 0, i, 0}}, Matrix{{r, 0, 0, 0, r, 0, 0, 0, -2.0 * r}}};
  return 0.5 * gell_mann.at(a);
}

Matrix from_coefficients(const std::array<double, 8>& p) {
  Matrix h{};
  for (int a = 0; a < 8; ++a) h = h + p[a] * generator(a);
  return h;
}

std::array<double, 8> coefficients(const Matrix& h) {
  std::array<double, 8> p;
  for (int a = 0; a < 8; ++a) p[a] = 2.0 * trace(generator(a) * h).real();
  return p;
}

Matrix traceless_hermitian(const Matrix& a) {
  const Matrix h = 0.5 * (a + adjoint(a));
  return h - trace(h) / 3.0 * identity();
}

Matrix traceless_antihermitian(const Matrix& a) {
  const Matrix h = 0.5 * (a - adjoint(a));
  return h - trace(h) / 3.0 * identity();
}

Matrix exponential(const Matrix& a) {
  int squarings = 0;
  double scale = 1.0;
  while (norm(a) * scale > 0.25) {
    scale /= 2.0;
    ++squarings;
  }
  Matrix sum = identity(), term = identity();
  for (int n = 1; n <= 20; ++n) {  // the 21st term is below 0.25^21 / 21! = 4e-33
    term = (scale / n) * (term * a);
    sum = sum + term;
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return sum;
}

Matrix reunitarise(const Matrix& a) {
  Matrix u = a;
  for (int row = 0; row < 2; ++row) {
    for (int previous = 0; previous < row; ++previous) {
      Complex overlap = 0.0;
      for (int k = 0; k < 3; ++k) overlap += std::conj(u(previous, k)) * u(row, k);
      for (int k = 0; k < 3; ++k) u(row, k) -= overlap * u(previous, k);
    }
    double length = 0.0;
    for (int k = 0; k < 3; ++k) length += std::norm(u(row, k));
    for (int k = 0; k < 3; ++k) u(row, k) /= std::sqrt(length);
  }
  for (int k = 0; k < 3; ++k) {
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    u(2, k) = std::conj(u(0, k1) * u(1, k2) - u(0, k2) * u(1, k1));
  }
  return u;
}

Matrix project_su3(const Matrix& a) {
  Matrix x = a;
  for (int i = 0; i < 100; ++i) {
    const Matrix next = 0.5 * (x + inverse(adjoint(x)));
    const double change = distance(next, x);
    x = next;
    if (change < 1e-15) break;
  }
  return std::polar(1.0, -std::arg(determinant(x)) / 3.0) * x;
}

}  // namespace trellis::reference
