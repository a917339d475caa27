// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/link_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/io/bytes.hpp"

namespace trellis::io {
namespace {

struct Complex {
  double re, im;
};
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex conj(Complex a) { return {a.re, -a.im}; }

Complex at(const double* u, int row, int column) {
  const double* p = u + 2 * (3 * row + column);
  return {p[0], p[1]};
}

// Element `column` of the cross product of the first two rows, whose conjugate is the third row of an SU(3) matrix.
Complex cross(const double* u, int column) {
  const int j = (column + 1) % 3, k = (column + 2) % 3;
  return at(u, 0, j) * at(u, 1, k) - at(u, 0, k) * at(u, 1, j);
}

// (a b) or (a b^+), element by element.
template <bool adjoint>
void product(const double* a, const double* b, double* c) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Complex sum{0, 0};
      for (int k = 0; k < 3; ++k) sum = sum + at(a, i, k) * (adjoint ? conj(at(b, j, k)) : at(b, k, j));
      c[2 * (3 * i + j)] = sum.re;
      c[2 * (3 * i + j) + 1] = sum.im;
    }
  }
}

}  // namespace

void decode_link(const std::byte* bytes, int rows, Precision precision, ByteOrder order, Matrix& u) {
  const std::size_t n = static_cast<std::size_t>(rows) * 6;
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = precision == Precision::single_ ? static_cast<double>(load<float>(bytes + 4 * i, order))
                                           : load<double>(bytes + 8 * i, order);
  }
  if (rows == 3) return;
  for (int column = 0; column < 3; ++column) {
    const auto c = conj(cross(u.data(), column));
    u[static_cast<std::size_t>(12 + 2 * column)] = c.re;
    u[static_cast<std::size_t>(13 + 2 * column)] = c.im;
  }
}

void encode_link(const double* u, int rows, Precision precision, ByteOrder order, std::byte* bytes) {
  const std::size_t n = static_cast<std::size_t>(rows) * 6;
  for (std::size_t i = 0; i < n; ++i) {
    if (precision == Precision::single_) {
      store(bytes + 4 * i, static_cast<float>(u[i]), order);
    } else {
      store(bytes + 8 * i, u[i], order);
    }
  }
}

LinkQuality examine(const Matrix& u) {
  LinkQuality q;
  q.zero = std::all_of(u.begin(), u.end(), [](double x) { return x == 0; });
  if (q.zero) {
    q.unitarity = 1;
    return q;
  }
  if (!std::all_of(u.begin(), u.end(), [](double x) { return std::isfinite(x); })) {
    q.unitarity = std::numeric_limits<double>::infinity();
    return q;
  }
  Matrix square;
  multiply_adjoint(u.data(), u.data(), square.data());
  for (std::size_t i = 0; i < 18; ++i) {
    const double expected = i == 0 || i == 8 || i == 16 ? 1 : 0;
    // Elements near the largest double overflow in the product; max() would drop the NaN that can follow.
    const double off = std::abs(square[i] - expected);
    q.unitarity = std::isfinite(off) ? std::max(q.unitarity, off) : std::numeric_limits<double>::infinity();
    if (!std::isfinite(off)) break;
  }
  Complex det{0, 0};
  for (int column = 0; column < 3; ++column) det = det + at(u.data(), 2, column) * cross(u.data(), column);
  q.det_re = det.re;
  q.det_im = det.im;
  return q;
}

void multiply(const double* a, const double* b, double* c) { product<false>(a, b, c); }
void multiply_adjoint(const double* a, const double* b, double* c) { product<true>(a, b, c); }

}  // namespace trellis::io
