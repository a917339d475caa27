// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/by_hand.hpp"

#include <cmath>

namespace trellis::bench::spmd::by_hand {

void reduction(long items, long group, const double* in, double* sums) {
#pragma omp parallel for
  for (long n = 0; n < items / group; ++n) {
    const double* const a = in + n * group;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long i = 0; i < group; ++i) sum += a[i];
    sums[n] = sum;
  }
}

void axpy(long items, double factor, const double* x, const double* y, double* z) {
#pragma omp parallel for simd
  for (long i = 0; i < items; ++i) z[i] = std::fma(factor, x[i], y[i]);
}

void polynomial(long items, const float* x, float* y) {
#pragma omp parallel for simd
  for (long i = 0; i < items; ++i) {
    float sum = 1.0f;
    for (int k = 0; k < polynomial_degree; ++k) sum = std::fma(sum, x[i], 1.0f);
    y[i] = sum;
  }
}

void copy(long items, const double* a, double* c) {
#pragma omp parallel for simd
  for (long i = 0; i < items; ++i) c[i] = a[i];
}

void mul(long items, double scale, double* b, const double* c) {
#pragma omp parallel for simd
  for (long i = 0; i < items; ++i) b[i] = scale * c[i];
}

void add(long items, const double* a, const double* b, double* c) {
#pragma omp parallel for simd
  for (long i = 0; i < items; ++i) c[i] = a[i] + b[i];
}

void triad(long items, double scale, double* a, const double* b, const double* c) {
#pragma omp parallel for simd
  for (long i = 0; i < items; ++i) a[i] = b[i] + scale * c[i];
}

double dot(long items, const double* a, const double* b) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (long i = 0; i < items; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace trellis::bench::spmd::by_hand
