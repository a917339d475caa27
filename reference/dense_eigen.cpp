// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/dense.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

// A real symmetric tridiagonal matrix T; the original is Z T Z^+, column k of Z being row k of `columns`.
struct Tridiagonal {
  std::vector<double> diagonal, off_diagonal;
  DenseMatrix columns;
};

// Reflections I - beta v v^+ map each column below the diagonal to its first element.
Tridiagonal tridiagonalise(DenseMatrix a) {
  const int n = a.n;
  DenseMatrix z = dense_identity(n);
  for (int k = 0; k + 2 < n; ++k) {
    DenseVector v(n), w(n), s(n);
    double length = 0.0;
    for (int i = k + 1; i < n; ++i) length += std::norm(v[i] = a(i, k));
    length = std::sqrt(length);
    if (length == 0.0) continue;
    v[k + 1] += v[k + 1] == 0.0 ? Complex(length) : length * v[k + 1] / std::abs(v[k + 1]);
    double square = 0.0;
    for (int i = k + 1; i < n; ++i) square += std::norm(v[i]);
    const double beta = 2.0 / square;

    // H a H = a - v w^+ - w v^+ with p = beta a v, w = p - (beta/2) (v^+ p) v
    Complex overlap = 0.0;
    for (int i = k; i < n; ++i) {
      for (int j = k; j < n; ++j) w[i] += beta * (a(i, j) * v[j]);
      overlap += std::conj(v[i]) * w[i];
    }
    for (int i = k; i < n; ++i) w[i] -= 0.5 * beta * overlap * v[i];
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j) a(i, j) -= v[i] * std::conj(w[j]) + w[i] * std::conj(v[j]);

    for (int j = k + 1; j < n; ++j)
      for (int i = 0; i < n; ++i) s[i] += beta * (z(j, i) * v[j]);
    for (int j = k + 1; j < n; ++j)
      for (int i = 0; i < n; ++i) z(j, i) -= s[i] * std::conj(v[j]);
  }

  // The phases of the basis vectors are chosen such that the off-diagonal elements are real and positive.
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n, 0.0), z};
  Complex phase = 1.0;
  for (int k = 0; k < n; ++k) {
    if (k > 0) {
      const Complex below = a(k, k - 1);
      t.off_diagonal[k - 1] = std::abs(below);
      if (below != 0.0) phase *= below / std::abs(below);
    }
    t.diagonal[k] = a(k, k).real();
    for (int i = 0; i < n; ++i) t.columns(k, i) *= phase;
  }
  return t;
}

// One implicit QR step on rows first..last, which no zero separates.
void qr_step(Tridiagonal& t, int first, int last) {
  std::vector<double>&a = t.diagonal, &b = t.off_diagonal;
  const double half = 0.5 * (a[last - 1] - a[last]);
  const double shift =
      a[last] - b[last - 1] * b[last - 1] / (half + std::copysign(std::hypot(half, b[last - 1]), half));
  double x = a[first] - shift, z = b[first];
  for (int k = first; k < last; ++k) {
    const double r = std::hypot(x, z);
    const double c = r > 0.0 ? x / r : 1.0, s = r > 0.0 ? z / r : 0.0;
    if (k > first) b[k - 1] = r;
    const double upper = a[k], lower = a[k + 1], beside = b[k];
    a[k] = c * c * upper + 2.0 * c * s * beside + s * s * lower;
    a[k + 1] = s * s * upper - 2.0 * c * s * beside + c * c * lower;
    b[k] = c * s * (lower - upper) + (c * c - s * s) * beside;
    if (k + 1 < last) {
      x = b[k];
      z = s * b[k + 1];
      b[k + 1] *= c;
    }
    for (int i = 0; i < t.columns.n; ++i) {
      const Complex p = t.columns(k, i), q = t.columns(k + 1, i);
      t.columns(k, i) = c * p + s * q;
      t.columns(k + 1, i) = c * q - s * p;
    }
  }
}

}  // namespace

Eigensystem hermitian_eigensystem(const DenseMatrix& matrix) {
  DenseMatrix a = matrix;
  for (int i = 0; i < a.n; ++i) {
    a(i, i) = a(i, i).real();
    for (int j = i + 1; j < a.n; ++j) a(i, j) = std::conj(a(j, i));
  }
  Tridiagonal t = tridiagonalise(a);

  const auto separated = [&](int k) {  // row k from row k + 1
    const double size = std::abs(t.diagonal[k]) + std::abs(t.diagonal[k + 1]);
    return std::abs(t.off_diagonal[k]) <= std::numeric_limits<double>::epsilon() * size;
  };
  int steps = 0;
  for (int last = a.n - 1; last > 0;) {
    if (separated(last - 1)) {
      --last;
      continue;
    }
    int first = last - 1;
    while (first > 0 && !separated(first - 1)) --first;
    qr_step(t, first, last);
    if (++steps > 30 * a.n) fail("QR steps do not find the eigenvalues of a {0}x{0} matrix", a.n);
  }

  std::vector<int> order(a.n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return t.diagonal[i] < t.diagonal[j]; });
  Eigensystem result{{}, DenseMatrix(a.n)};
  for (int k = 0; k < a.n; ++k) {
    result.values.push_back(t.diagonal[order[k]]);
    for (int i = 0; i < a.n; ++i) result.vectors(k, i) = t.columns(order[k], i);
  }
  return result;
}

DenseMatrix matrix_function(const Eigensystem& a, const RealFunction& f) {
  const int n = a.vectors.n;
  DenseMatrix result(n);
  for (int k = 0; k < n; ++k) {
    const double value = f(a.values[k]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) result(i, j) += value * a.vectors(k, i) * std::conj(a.vectors(k, j));
  }
  return result;
}

DenseVector apply_function(const Eigensystem& a, const RealFunction& f, const DenseVector& v) {
  const int n = a.vectors.n;
  DenseVector result(n);
  for (int k = 0; k < n; ++k) {
    Complex overlap = 0.0;
    for (int i = 0; i < n; ++i) overlap += std::conj(a.vectors(k, i)) * v.at(i);
    const Complex factor = f(a.values[k]) * overlap;
    for (int i = 0; i < n; ++i) result[i] += factor * a.vectors(k, i);
  }
  return result;
}

}  // namespace trellis::reference
