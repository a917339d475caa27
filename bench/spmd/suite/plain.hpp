// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The suite's kernels as plain loops, compiled by the project's compiler, with OpenMP. Matrices are stored by rows.

namespace trellis::bench::spmd::plain {

// out = alpha A B + beta C, out = alpha A A^T + beta C, out = alpha (A B^T + B A^T) + beta C, of n x n numbers.
void gemm(long n, float alpha, const float* a, const float* b, float beta, const float* c, float* out);
void syrk(long n, float alpha, const float* a, float beta, const float* c, float* out);
void syr2k(long n, float alpha, const float* a, const float* b, float beta, const float* c, float* out);
// out = start + scale A x or, with transposed = true, start + scale A^T x.
void multiply(long n, bool transposed, float scale, const float* a, const float* x, const float* start, float* out);
void sigmoid(long n, float* x);

// Of `rows` observations of n variables: the covariance of each two variables, or their correlation.
void covariance(long rows, long n, const float* data, bool correlation, float* out);
// For each point the centre with the least distance; of equal ones the first.
void nearest_centres(long points, int centres, int dimensions, const float* x, const float* c, int* out);
// The sum of (slope x + intercept - y)^2 over the points, for each candidate.
void regression_errors(long candidates, long points, const float* slopes, const float* intercepts, const float* x,
                       const float* y, float* out);
// Slope and intercept of the line through each `group` points with the least squares.
void regression_lines(long items, long group, const double* x, const double* y, double* out);

// Images of nx x ny points, with a border of `radius` points in memory; the result has none.
void sobel(long nx, long ny, int radius, const float* image, float* out);
void median(long nx, long ny, const float* image, float* out);
void convolution(long nx, long ny, const float* weights, const float* image, float* out);        // 3 x 3
void convolution(long nx, long ny, long nz, const float* weights, const float* in, float* out);  // 3 x 3 x 3, border 1
// A step of two electric fields and of the magnetic one in a plane: three planes. Edges without a neighbour stay.
void electromagnetic_step(long nx, long ny, const float* ex, const float* ey, const float* hz, float* out);

// In each group of numbers.
void sort_groups(long items, long group, const int* in, int* out);
void segment_sums(long items, long group, const int* starts, const double* in, double* out);
void scalar_products(long items, long group, const double* x, const double* y, double* out);
void swaps(long items, long group, int rounds, const int* in, int* out);

// For each matrix (n x n numbers, row by row): the shortest paths; x of A x = b, without pivots.
void shortest_paths(long matrices, int n, const int* lengths, int* out);
void solve(long matrices, int n, const double* a, const double* b, double* x);
// Q of A = Q R for matrices of `rows` x `columns`, by the modified method of Gram and Schmidt.
void orthonormalise(long matrices, long rows, int columns, const double* a, double* q);

// The number of edges from vertex 0, or -1 beyond `most`.
void distances(long vertices, const int* first, const int* neighbours, int most, int* out);
// The first word of the MD5 digest (R. Rivest, RFC 1321) of each message of eight bytes. sines: 64 constants.
void md5(long messages, const unsigned* words, const unsigned* sines, unsigned* out);
void special_functions(long items, const double* x, double* out);

}  // namespace trellis::bench::spmd::plain
