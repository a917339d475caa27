// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The largest eigenvalue of a real symmetric tridiagonal matrix by bisection with Sturm counts (Givens 1954; Barth,
// Martin and Wilkinson, Numer. Math. 9 (1967) 386). Only + - * / and sqrt: the same bits on every machine.
// Microseconds.

#include <span>

namespace trellis::solver {

struct Eigenpair {
  double value;
  double last;  // size of the normalised eigenvector's last component
};

// diagonal: n numbers, n >= 1; off_diagonal: n - 1, none of them 0.
Eigenpair largest_tridiagonal_eigenvalue(std::span<const double> diagonal, std::span<const double> off_diagonal);

}  // namespace trellis::solver
