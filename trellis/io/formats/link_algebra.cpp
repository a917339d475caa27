// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/link_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/core/simd.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::io {
namespace {

// Doubles, row by row, as in a file: an su3 matrix with one lane has the same 18 numbers.
using Colour = trellis::Matrix<double>;
Colour from(const double* u) {
  Colour m;
  for (int k = 0; k < 9; ++k) m.e[k / 3][k % 3] = {u[2 * k], u[2 * k + 1]};
  return m;
}
void to(const Colour& m, double* u) {
  for (int k = 0; k < 9; ++k) {
    u[2 * k] = m.e[k / 3][k % 3].re;
    u[2 * k + 1] = m.e[k / 3][k % 3].im;
  }
}

}  // namespace

void decode_link(const std::byte* bytes, int rows, Precision precision, ByteOrder order, Matrix& u) {
  const std::size_t n = static_cast<std::size_t>(rows) * 6;
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = precision == Precision::single ? static_cast<double>(load<float>(bytes + 4 * i, order))
                                          : load<double>(bytes + 8 * i, order);
  }
  if (rows == 3) return;
  std::fill(u.begin() + 12, u.end(), 0.0);
  Colour m = from(u.data());
  complete_third_row(m);
  to(m, u.data());
}

void encode_link(const double* u, int rows, Precision precision, ByteOrder order, std::byte* bytes) {
  const std::size_t n = static_cast<std::size_t>(rows) * 6;
  for (std::size_t i = 0; i < n; ++i) {
    if (precision == Precision::single) {
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
    // Elements near the largest double overflow in the product; max() would drop the resulting NaN.
    const double off = std::abs(square[i] - expected);
    q.unitarity = std::isfinite(off) ? std::max(q.unitarity, off) : std::numeric_limits<double>::infinity();
    if (!std::isfinite(off)) break;
  }
  const auto det = determinant(from(u.data()));
  q.det_re = det.re;
  q.det_im = det.im;
  return q;
}

std::optional<Deviation> deviation_near_su3(std::span<const Link> links) {
  constexpr int lanes = int(links_at_once);
  using S = simd<double, lanes>;
  alignas(64) double numbers[18][lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    const Matrix& u = links[std::min(std::size_t(lane), links.size() - 1)].u;
    for (std::size_t k = 0; k < 18; ++k) numbers[k][lane] = u[k];
  }
  trellis::Matrix<S> u;
  for (int k = 0; k < 9; ++k) u.e[k / 3][k % 3] = {S::load(numbers[2 * k]), S::load(numbers[2 * k + 1])};
  const S one(1.0);
  const auto larger = [](const S& a, const S& b) { return select(a < b, b, a); };
  const auto square = trellis::multiply_adjoint(u, u);
  S unitarity(0.0);
  S sum(0.0);  // keeps a NaN, which comparisons lose
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const S re = abs(i == j ? square.e[i][j].re - one : square.e[i][j].re), im = abs(square.e[i][j].im);
      unitarity = larger(larger(unitarity, re), im);
      sum = sum + (re + im);
    }
  const auto det = determinant(u);
  const S re = det.re - one, determinant_squared = re * re + det.im * det.im;
  const S most(0.5);
  if (!all((unitarity < most) & (sum < S(18.0) * most) & (determinant_squared < most * most))) return std::nullopt;
  Deviation found;
  for (int lane = 0; lane < lanes; ++lane) {
    found.unitarity = std::max(found.unitarity, unitarity[lane]);
    found.determinant = std::max(found.determinant, determinant_squared[lane]);
  }
  found.determinant = std::sqrt(found.determinant);
  return found;
}

void multiply(const double* a, const double* b, double* c) { to(from(a) * from(b), c); }
void multiply_adjoint(const double* a, const double* b, double* c) {
  to(trellis::multiply_adjoint(from(a), from(b)), c);
}

}  // namespace trellis::io
