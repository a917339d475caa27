// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/dense.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "trellis/core/error.hpp"

namespace trellis::reference {

DenseMatrix dense_identity(int n) {
  DenseMatrix one(n);
  for (int i = 0; i < n; ++i) one(i, i) = 1.0;
  return one;
}

DenseMatrix operator+(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix c = a;
  for (std::size_t i = 0; i < c.elements.size(); ++i) c.elements[i] += b.elements.at(i);
  return c;
}

DenseMatrix operator-(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix c = a;
  for (std::size_t i = 0; i < c.elements.size(); ++i) c.elements[i] -= b.elements.at(i);
  return c;
}

DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b) {
  if (a.n != b.n) fail("a {0}x{0} matrix times a {1}x{1} matrix", a.n, b.n);
  DenseMatrix c(a.n);
  for (int i = 0; i < a.n; ++i)
    for (int k = 0; k < a.n; ++k) {
      const Complex factor = a(i, k);
      if (factor == 0.0) continue;
      for (int j = 0; j < a.n; ++j) c(i, j) += factor * b(k, j);
    }
  return c;
}

DenseMatrix operator*(Complex s, const DenseMatrix& a) {
  DenseMatrix c = a;
  for (Complex& z : c.elements) z *= s;
  return c;
}

DenseVector operator*(const DenseMatrix& a, const DenseVector& v) {
  DenseVector w(a.n);
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j < a.n; ++j) w[i] += a(i, j) * v.at(j);
  return w;
}

DenseMatrix adjoint(const DenseMatrix& a) {
  DenseMatrix c(a.n);
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j < a.n; ++j) c(i, j) = std::conj(a(j, i));
  return c;
}

Complex trace(const DenseMatrix& a) {
  Complex sum = 0.0;
  for (int i = 0; i < a.n; ++i) sum += a(i, i);
  return sum;
}

double distance(const DenseMatrix& a, const DenseMatrix& b) {
  double sum = 0.0;
  for (const Complex& z : (a - b).elements) sum += std::norm(z);
  return std::sqrt(sum);
}

LuDecomposition lu_decomposition(const DenseMatrix& matrix) {
  LuDecomposition lu{matrix, std::vector<int>(matrix.n), 1.0};
  DenseMatrix& a = lu.factors;
  std::iota(lu.permutation.begin(), lu.permutation.end(), 0);
  for (int k = 0; k < a.n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < a.n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (a(pivot, k) == 0.0) fail("LU decomposition: the matrix is singular");
    if (pivot != k) {
      for (int j = 0; j < a.n; ++j) std::swap(a(k, j), a(pivot, j));
      std::swap(lu.permutation[k], lu.permutation[pivot]);
      lu.sign = -lu.sign;
    }
    for (int i = k + 1; i < a.n; ++i) {
      const Complex factor = a(i, k) / a(k, k);
      a(i, k) = factor;
      if (factor == 0.0) continue;
      for (int j = k + 1; j < a.n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return lu;
}

DenseVector solve(const LuDecomposition& lu, const DenseVector& b) {
  const DenseMatrix& a = lu.factors;
  DenseVector x(a.n);
  for (int i = 0; i < a.n; ++i) {
    x[i] = b.at(lu.permutation[i]);
    for (int j = 0; j < i; ++j) x[i] -= a(i, j) * x[j];
  }
  for (int i = a.n - 1; i >= 0; --i) {
    for (int j = i + 1; j < a.n; ++j) x[i] -= a(i, j) * x[j];
    x[i] /= a(i, i);
  }
  return x;
}

Complex log_determinant(const LuDecomposition& lu) {
  Complex sum = std::log(Complex(lu.sign));
  for (int i = 0; i < lu.factors.n; ++i) sum += std::log(lu.factors(i, i));
  return sum;
}

DenseMatrix inverse(const DenseMatrix& a) {
  const LuDecomposition lu = lu_decomposition(a);
  DenseMatrix b(a.n);
  for (int j = 0; j < a.n; ++j) {
    DenseVector unit(a.n);
    unit[j] = 1.0;
    const DenseVector column = solve(lu, unit);
    for (int i = 0; i < a.n; ++i) b(i, j) = column[i];
  }
  return b;
}

DenseMatrix cholesky(const DenseMatrix& a) {
  DenseMatrix l(a.n);
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j <= i; ++j) {
      Complex sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l(i, k) * std::conj(l(j, k));
      if (i == j && !(sum.real() > 0.0)) fail("Cholesky decomposition: the matrix is not positive");
      l(i, j) = i == j ? std::sqrt(sum.real()) : sum / l(j, j);
    }
  return l;
}

double log_determinant_from_cholesky(const DenseMatrix& l) {
  double sum = 0.0;
  for (int i = 0; i < l.n; ++i) sum += 2.0 * std::log(l(i, i).real());
  return sum;
}

double trace_of_inverse_from_cholesky(const DenseMatrix& l) {
  DenseMatrix b(l.n);  // L^-1, row by row
  double sum = 0.0;
  for (int i = 0; i < l.n; ++i) {
    b(i, i) = 1.0;
    for (int k = 0; k < i; ++k) {
      const Complex factor = l(i, k);
      for (int j = 0; j <= k; ++j) b(i, j) -= factor * b(k, j);
    }
    for (int j = 0; j <= i; ++j) {
      b(i, j) /= l(i, i).real();
      sum += std::norm(b(i, j));
    }
  }
  return sum;
}

}  // namespace trellis::reference
