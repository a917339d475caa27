// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The three kernels of a conjugate gradient: w = alpha x + beta y, x . y, y = A x. w may be x or y.
// With several ranks, dot would sum over ranks, and multiply would start by exchanging the planes between slabs.

#include "examples/minife/matrix.hpp"

namespace examples::minife {

inline void waxpby(double alpha, const ConstVector& x, double beta, const ConstVector& y, const Vector& w) {
  const double n = double(w.extent(0));
  trellis::parallel_for(
      {"minife::waxpby", 24 * n, 3 * n}, w.extent(0), TRELLIS_LAMBDA(Index i) { w(i) = alpha * x(i) + beta * y(i); });
}

inline double dot(const ConstVector& x, const ConstVector& y) {
  double sum = 0;
  const double n = double(x.extent(0));
  trellis::parallel_reduce(
      {"minife::dot", (x.data() == y.data() ? 8 : 16) * n, 2 * n}, x.extent(0),
      TRELLIS_LAMBDA(Index i, double& partial) { partial += x(i) * y(i); }, sum);
  return sum;
}

template <class Matrix>
void multiply(const Matrix& matrix, const ConstVector& x, const Vector& y) {
  trellis::parallel_for(
      {"minife::multiply", matrix.bytes(), matrix.flops()}, matrix.rows(),
      TRELLIS_LAMBDA(Index i) { y(i) = matrix.times(i, x); });
}

}  // namespace examples::minife
