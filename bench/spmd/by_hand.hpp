// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one would write by hand for a CPU: loops with OpenMP, compiled by the project's compiler.

namespace trellis::bench::spmd::by_hand {

inline constexpr int polynomial_degree = 16;

void reduction(long items, long group, const double* in, double* sums);  // the sum of each group's numbers
void axpy(long items, double factor, const double* x, const double* y, double* z);
void polynomial(long items, const float* x, float* y);

// BabelStream.
void copy(long items, const double* a, double* c);
void mul(long items, double scale, double* b, const double* c);
void add(long items, const double* a, const double* b, double* c);
void triad(long items, double scale, double* a, const double* b, const double* c);
double dot(long items, const double* a, const double* b);

}  // namespace trellis::bench::spmd::by_hand
