// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The conjugate gradient without Trellis, on plain pointers: the yardstick. Implemented by by_hand_openmp.cpp or, where
// Trellis runs on CUDA, by_hand_cuda.cu. It does what the portable version does, kernel by kernel (neither fuses any),
// on the same memory; each kernel may be written in any way. Ell has the best layout for the machine: rows one after
// the other on a CPU, the k-th entries of all rows one after the other on a GPU.

#include <cmath>
#include <cstdint>

namespace examples::minife::by_hand {

struct Ell {
  long rows;
  const std::int32_t* columns;
  const double* values;
};
struct Csr {
  long rows;
  const std::int64_t* start;
  const std::int32_t* columns;
  const double* values;
};

// sum of x: measures how fast the machine reads.
double sum(long n, const double* x);
double dot(long n, const double* x, const double* y);
// w = alpha x + beta y; w may be x or y.
void waxpby(long n, double alpha, const double* x, double beta, const double* y, double* w);
void multiply(const Ell& a, const double* x, double* y);
void multiply(const Csr& a, const double* x, double* y);

// What the ranks of a slab do together: before a product, and to a sum; rows of this one begin at `first` in all
// vectors. One rank does neither.
struct Alone {
  long first = 0;
  void exchange(double*) const {}
  double sum(double local) const { return local; }
};

// `iterations` steps starting from x; returns the norm of the recursive residual.
template <class Matrix, class Together = Alone>
double conjugate_gradient(const Matrix& a, const double* b, double* x, double* r, double* p, double* ap, int iterations,
                          const Together& ranks = {}) {
  const long n = a.rows, first = ranks.first;
  const auto product = [&](double* of, double* to) {
    ranks.exchange(of);
    multiply(a, of, to + first);
  };
  const auto update = [&](double alpha, const double* u, double beta, const double* v, double* w) {
    waxpby(n, alpha, u + first, beta, v + first, w + first);
  };
  const auto scalar_product = [&](const double* u, const double* v) { return ranks.sum(dot(n, u + first, v + first)); };
  product(x, ap);
  update(1, b, -1, ap, r);
  update(1, r, 0, r, p);
  double rr = scalar_product(r, r);
  for (int k = 0; k < iterations; ++k) {
    product(p, ap);
    const double alpha = rr / scalar_product(p, ap);
    update(1, x, alpha, p, x);
    update(1, r, -alpha, ap, r);
    const double next = scalar_product(r, r);
    update(1, r, next / rr, p, p);
    rr = next;
  }
  const double norm = std::sqrt(rr);
  product(x, ap);
  update(1, b, -1, ap, r);
  scalar_product(r, r);
  return norm;
}

}  // namespace examples::minife::by_hand
