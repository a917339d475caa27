// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The three kernels of a conjugate gradient: w = alpha x + beta y, x . y, y = A x. w may be x or y. Each on some rows,
// or on all; those of a system on several ranks are in slab.hpp.

#include "examples/minife/matrix.hpp"

namespace examples::minife {

struct Rows {
  Index first, end;
  Index count() const { return end - first; }
};

inline void waxpby(const Rows& rows, double alpha, const ConstVector& x, double beta, const ConstVector& y,
                   const Vector& w) {
  const double n = double(rows.count());
  trellis::parallel_for(
      {"minife::waxpby", 24 * n, 3 * n}, trellis::RangePolicy<>(rows.first, rows.end),
      TRELLIS_LAMBDA(Index i) { w(i) = alpha * x(i) + beta * y(i); });
}
inline void waxpby(double alpha, const ConstVector& x, double beta, const ConstVector& y, const Vector& w) {
  waxpby({0, w.extent(0)}, alpha, x, beta, y, w);
}

inline double dot(const Rows& rows, const ConstVector& x, const ConstVector& y) {
  double sum = 0;
  const double n = double(rows.count());
  trellis::parallel_reduce(
      {"minife::dot", (x.data() == y.data() ? 8 : 16) * n, 2 * n}, trellis::RangePolicy<>(rows.first, rows.end),
      TRELLIS_LAMBDA(Index i, double& partial) { partial += x(i) * y(i); }, sum);
  return sum;
}
inline double dot(const ConstVector& x, const ConstVector& y) { return dot({0, x.extent(0)}, x, y); }

template <class Matrix>
void multiply(const Matrix& matrix, const Rows& rows, const ConstVector& x, const Vector& y) {
  const double part = double(rows.count()) / double(matrix.rows());
  trellis::parallel_for(
      {"minife::multiply", part * matrix.bytes(), part * matrix.flops()}, trellis::RangePolicy<>(rows.first, rows.end),
      TRELLIS_LAMBDA(Index i) { y(i) = matrix.times(i, x); });
}
template <class Matrix>
void multiply(const Matrix& matrix, const ConstVector& x, const Vector& y) {
  multiply(matrix, {0, matrix.rows()}, x, y);
}

// What a solver asks of a system on one rank: its rows, and scalar products over all of them.
template <class Matrix>
Rows own_rows(const Matrix& matrix) {
  return {0, matrix.rows()};
}
template <class Matrix>
double dot(const Matrix&, const ConstVector& x, const ConstVector& y) {
  return dot(x, y);
}

}  // namespace examples::minife
