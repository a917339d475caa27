// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/tridiagonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/core/error.hpp"

namespace trellis::solver {

namespace {

// True if no eigenvalue is above x: the pivots of T - x are then all negative.
bool above_all(std::span<const double> a, std::span<const double> b, double x) {
  double pivot = a[0] - x;
  for (std::size_t j = 1; j < a.size(); ++j) {
    if (pivot >= 0) return false;
    pivot = a[j] - x - b[j - 1] * b[j - 1] / pivot;
  }
  return pivot < 0;
}

// Computed backwards from the last component, 1: the stable direction for the largest eigenvalue.
double last_component(std::span<const double> a, std::span<const double> b, double value) {
  const int n = static_cast<int>(a.size());
  double next = 0, here = 1, norm = 1;
  for (int j = n - 1; j > 0; --j) {
    const double above = ((value - a[j]) * here - (j + 1 < n ? b[j] * next : 0.0)) / b[j - 1];
    next = here;
    here = above;
    norm += here * here;
    if (!std::isfinite(norm)) return 0;
  }
  return 1 / std::sqrt(norm);
}

}  // namespace

Eigenpair largest_tridiagonal_eigenvalue(std::span<const double> diagonal, std::span<const double> off_diagonal) {
  const std::size_t n = diagonal.size();
  if (n == 0 || off_diagonal.size() + 1 != n)
    fail("tridiagonal matrix: {} numbers on the diagonal and {} beside it", n, off_diagonal.size());
  double low = diagonal[0], high = diagonal[0];  // Gershgorin's circles
  for (std::size_t j = 0; j < n; ++j) {
    const double radius = (j > 0 ? std::abs(off_diagonal[j - 1]) : 0) + (j + 1 < n ? std::abs(off_diagonal[j]) : 0);
    if (!std::isfinite(diagonal[j]) || !std::isfinite(radius)) fail("tridiagonal matrix: an entry is not a number");
    low = std::max(low, diagonal[j]);
    high = std::max(high, diagonal[j] + radius);
  }
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(low < middle && middle < high)) break;
    (above_all(diagonal, off_diagonal, middle) ? high : low) = middle;
  }
  return {high, last_component(diagonal, off_diagonal, high)};
}

}  // namespace trellis::solver
