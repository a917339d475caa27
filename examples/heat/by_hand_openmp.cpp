// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/heat/by_hand.hpp"

namespace examples::heat::by_hand {

void step(const double* u, double* next, long rows, long columns, double r) {
#pragma omp parallel for schedule(static)
  for (long i = 1; i < rows - 1; ++i) {
    const double* const row = u + i * columns;
    const double* const above = row - columns;
    const double* const below = row + columns;
    double* const result = next + i * columns;
#pragma omp simd
    for (long j = 1; j < columns - 1; ++j) {
      result[j] = row[j] + r * (above[j] + below[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
    }
  }
}

}  // namespace examples::heat::by_hand
