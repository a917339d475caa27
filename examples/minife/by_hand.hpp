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

// `iterations` steps starting from x; returns the norm of the recursive residual.
template <class Matrix>
double conjugate_gradient(const Matrix& a, const double* b, double* x, double* r, double* p, double* ap,
                          int iterations) {
  const long n = a.rows;
  multiply(a, x, ap);
  waxpby(n, 1, b, -1, ap, r);
  waxpby(n, 1, r, 0, r, p);
  double rr = dot(n, r, r);
  for (int k = 0; k < iterations; ++k) {
    multiply(a, p, ap);
    const double alpha = rr / dot(n, p, ap);
    waxpby(n, 1, x, alpha, p, x);
    waxpby(n, 1, r, -alpha, ap, r);
    const double next = dot(n, r, r);
    waxpby(n, 1, r, next / rr, p, p);
    rr = next;
  }
  const double norm = std::sqrt(rr);
  multiply(a, x, ap);
  waxpby(n, 1, b, -1, ap, r);
  dot(n, r, r);
  return norm;
}

}  // namespace examples::minife::by_hand
