// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The combination of operators that couples best to the lowest state, from a matrix of correlators C_ab(t) at two times
// (C. Michael, Nucl. Phys. B 259 (1985) 58; M. Luescher and U. Wolff, Nucl. Phys. B 339 (1990) 222):
//   C(late) v = lambda C(early) v  with the largest lambda,  v^T C(early) v = 1.

#include "trellis/analysis/statistics.hpp"

namespace trellis::analysis {

// v, from symmetric matrices [a * size + b]. Throws if C(early) is not positive definite, or lambda not positive.
Series lowest_state(int size, const Series& early, const Series& late);

// v^T C v
double projected(const Series& v, const Series& matrix);

}  // namespace trellis::analysis
