// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick on a CPU: OpenMP pragmas on plain loops. Of the variants tried for the loop over a row (one, three or
// four sums, omp simd, prefetches, gathers of eight rows), three sums were as fast as any when the matrix comes from
// memory.
#include "examples/minife/by_hand.hpp"

namespace examples::minife::by_hand {

double sum(long n, const double* x) {
  double total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (long i = 0; i < n; ++i) total += x[i];
  return total;
}

double dot(long n, const double* x, const double* y) {
  double total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (long i = 0; i < n; ++i) total += x[i] * y[i];
  return total;
}

void waxpby(long n, double alpha, const double* x, double beta, const double* y, double* w) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < n; ++i) w[i] = alpha * x[i] + beta * y[i];
}

void multiply(const Ell& a, const double* __restrict x, double* __restrict y) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < a.rows; ++i) {
    const double* const v = a.values + 27 * i;
    const std::int32_t* const c = a.columns + 27 * i;
    double s0 = 0, s1 = 0, s2 = 0;
    for (int k = 0; k < 27; k += 3) {
      s0 += v[k] * x[c[k]];
      s1 += v[k + 1] * x[c[k + 1]];
      s2 += v[k + 2] * x[c[k + 2]];
    }
    y[i] = s0 + s1 + s2;
  }
}

void multiply(const Csr& a, const double* __restrict x, double* __restrict y) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < a.rows; ++i) {
    const std::int64_t end = a.start[i + 1];
    std::int64_t k = a.start[i];
    double s0 = 0, s1 = 0, s2 = 0;
    for (; k + 3 <= end; k += 3) {
      s0 += a.values[k] * x[a.columns[k]];
      s1 += a.values[k + 1] * x[a.columns[k + 1]];
      s2 += a.values[k + 2] * x[a.columns[k + 2]];
    }
    for (; k < end; ++k) s0 += a.values[k] * x[a.columns[k]];
    y[i] = s0 + s1 + s2;
  }
}

}  // namespace examples::minife::by_hand
