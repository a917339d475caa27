// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/conjugate_gradient.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::solver {

namespace detail {

double step_length(double rr, double curvature, int iteration) {
  if (!(curvature > 0) || !std::isfinite(curvature) || !std::isfinite(rr))
    fail("conjugate gradient: <p, A p> = {} and |r|^2 = {} in iteration {}; the operator must be positive", curvature,
         rr, iteration + 1);
  return rr / curvature;
}

}  // namespace detail

}  // namespace trellis::solver
