// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/spmd/suite/plain.hpp"

namespace trellis::bench::spmd::plain {

void gemm(long n, float alpha, const float* a, const float* b, float beta, const float* c, float* out) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    float* const row = out + i * n;
    for (long j = 0; j < n; ++j) row[j] = beta * c[i * n + j];
    for (long k = 0; k < n; ++k) {
      const float factor = alpha * a[i * n + k];
#pragma omp simd
      for (long j = 0; j < n; ++j) row[j] += factor * b[k * n + j];
    }
  }
}

void syrk(long n, float alpha, const float* a, float beta, const float* c, float* out) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long k = 0; k < n; ++k) sum += a[i * n + k] * a[j * n + k];
      out[i * n + j] = alpha * sum + beta * c[i * n + j];
    }
}

void syr2k(long n, float alpha, const float* a, const float* b, float beta, const float* c, float* out) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long k = 0; k < n; ++k) sum += a[i * n + k] * b[j * n + k] + b[i * n + k] * a[j * n + k];
      out[i * n + j] = alpha * sum + beta * c[i * n + j];
    }
}

void multiply(long n, bool transposed, float scale, const float* a, const float* x, const float* start, float* out) {
  if (!transposed) {
#pragma omp parallel for
    for (long i = 0; i < n; ++i) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
      out[i] = start[i] + scale * sum;
    }
    return;
  }
  constexpr long block = 64;
#pragma omp parallel for
  for (long first = 0; first < n; first += block) {
    const long end = std::min(n, first + block);
    float sums[block] = {};
    for (long i = 0; i < n; ++i)
      for (long j = first; j < end; ++j) sums[j - first] += a[i * n + j] * x[i];
    for (long j = first; j < end; ++j) out[j] = start[j] + scale * sums[j - first];
  }
}

void sigmoid(long n, float* x) {
  for (long i = 0; i < n; ++i) x[i] = 1 / (1 + std::exp(-x[i]));
}

void covariance(long rows, long n, const float* data, bool correlation, float* out) {
  std::vector<float> mean(std::size_t(n), 0), scale(std::size_t(n), 1 / std::sqrt(float(rows - 1)));
  for (long k = 0; k < rows; ++k)
    for (long j = 0; j < n; ++j) mean[std::size_t(j)] += data[k * n + j] / float(rows);
  if (correlation) {
    std::vector<float> squares(std::size_t(n), 0);
    for (long k = 0; k < rows; ++k)
      for (long j = 0; j < n; ++j) {
        const float d = data[k * n + j] - mean[std::size_t(j)];
        squares[std::size_t(j)] += d * d;
      }
    for (long j = 0; j < n; ++j) scale[std::size_t(j)] = 1 / std::sqrt(squares[std::size_t(j)]);
  }
  std::vector<float> centred(std::size_t(rows * n));
  for (long k = 0; k < rows; ++k)
    for (long j = 0; j < n; ++j)
      centred[std::size_t(k * n + j)] = (data[k * n + j] - mean[std::size_t(j)]) * scale[std::size_t(j)];
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    float* const row = out + i * n;
    std::fill_n(row, n, 0.0f);
    for (long k = 0; k < rows; ++k) {
      const float* const d = centred.data() + k * n;
      const float factor = d[i];
#pragma omp simd
      for (long j = 0; j < n; ++j) row[j] += factor * d[j];
    }
  }
}

void shortest_paths(long matrices, int n, const int* lengths, int* out) {
#pragma omp parallel for
  for (long m = 0; m < matrices; ++m) {
    int* const d = out + m * n * n;
    std::copy_n(lengths + m * n * n, n * n, d);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  }
}

void solve(long matrices, int n, const double* a, const double* b, double* x) {
#pragma omp parallel for
  for (long m = 0; m < matrices; ++m) {
    std::vector<double> u(a + m * n * n, a + (m + 1) * n * n);
    double* const y = x + m * n;
    std::copy_n(b + m * n, n, y);
    const auto at = [n](int i, int j) { return std::size_t(i * n + j); };
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        const double factor = u[at(i, k)] / u[at(k, k)];
        for (int j = k + 1; j < n; ++j) u[at(i, j)] -= factor * u[at(k, j)];
        y[i] -= factor * y[k];
      }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) y[i] -= u[at(i, j)] * y[j];
      y[i] /= u[at(i, i)];
    }
  }
}

void orthonormalise(long matrices, long rows, int columns, const double* a, double* q) {
#pragma omp parallel for
  for (long m = 0; m < matrices; ++m) {
    double* const v = q + m * rows * columns;  // [column][row]
    std::copy_n(a + m * rows * columns, rows * columns, v);
    for (int k = 0; k < columns; ++k) {
      double* const own = v + k * rows;
      double norm = 0;
      for (long i = 0; i < rows; ++i) norm += own[i] * own[i];
      norm = std::sqrt(norm);
      for (long i = 0; i < rows; ++i) own[i] /= norm;
      for (int j = k + 1; j < columns; ++j) {
        double* const other = v + j * rows;
        double r = 0;
        for (long i = 0; i < rows; ++i) r += own[i] * other[i];
        for (long i = 0; i < rows; ++i) other[i] -= r * own[i];
      }
    }
  }
}

}  // namespace trellis::bench::spmd::plain
