// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one would write by hand for a CPU: loops with OpenMP, compiled by the project's compiler.

namespace trellis::bench::spmd::by_hand {

inline constexpr int polynomial_degree = 16;

void reduction(long items, long group, const double* in, double* sums);  // the sum of each group's numbers
void axpy(long items, double factor, const double* x, const double* y, double* z);
void polynomial(long items, const float* x, float* y);

}  // namespace trellis::bench::spmd::by_hand
