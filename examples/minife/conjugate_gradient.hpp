// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conjugate gradients (Hestenes and Stiefel, J. Res. Nat. Bur. Stand. 49, 409 (1952)) for A x = b, starting from the
// given x: until |r| <= tolerance |r_0|, or for `iterations` steps. The residual of the result is recomputed from x,
// because rounding drives the recursive one away from it; both are returned. Bytes per iteration: one product, 16 and 8
// per row for two scalar products, 3 x 24 for three updates. The matrix may be on several ranks (slab.hpp).

#include <cmath>

#include "examples/minife/vector.hpp"

namespace examples::minife {

struct Workspace {
  explicit Workspace(Index rows) : r("r", rows), p("p", rows), ap("ap", rows) {}
  Vector r, p, ap;
};

struct Convergence {
  int iterations = 0;
  double first = 0;      // |b - A x| at the start
  double recursive = 0;  // |r| at the end
  double actual = 0;     // |b - A x| at the end
};

template <class Matrix>
Convergence conjugate_gradient(const Matrix& a, const ConstVector& b, const Vector& x, const Workspace& work,
                               int iterations, double tolerance) {
  const auto& [r, p, ap] = work;
  const Rows rows = own_rows(a);
  multiply(a, x, ap);
  waxpby(rows, 1, b, -1, ap, r);
  waxpby(rows, 1, r, 0, r, p);
  double rr = dot(a, r, r);
  Convergence result{.first = std::sqrt(rr)};
  for (; result.iterations < iterations && std::sqrt(rr) > tolerance * result.first; ++result.iterations) {
    multiply(a, p, ap);
    const double alpha = rr / dot(a, p, ap);
    waxpby(rows, 1, x, alpha, p, x);
    waxpby(rows, 1, r, -alpha, ap, r);
    const double next = dot(a, r, r);
    waxpby(rows, 1, r, next / rr, p, p);
    rr = next;
  }
  result.recursive = std::sqrt(rr);
  multiply(a, x, ap);
  waxpby(rows, 1, b, -1, ap, r);
  result.actual = std::sqrt(dot(a, r, r));
  return result;
}

// Memory traffic of `iterations` steps, including the start and the final check.
template <class Matrix>
double conjugate_gradient_bytes(const Matrix& a, int iterations) {
  const double rows = double(a.rows());
  return (iterations + 2) * a.bytes() + iterations * rows * (16 + 8 + 72) + rows * (3 * 24 + 2 * 8);
}

}  // namespace examples::minife
