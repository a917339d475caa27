// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// x = M^-1 b on all sites, M = m + D, by conjugate gradients on the even sites:
//   (m^2 - D_eo D_oe) x_e = m b_e - D_eo b_o,    x_o = (b_o - D_oe x_e) / m.
// The residual is then zero on odd sites and on even ones 1/m times that of the reduced equation, which is solved as
// far as |b - M x| <= residual |b| requires.

#include "trellis/measure/full_vectors.hpp"
#include "trellis/solver/report.hpp"

namespace trellis::measure {

struct InverseParameters {
  double residual = 1e-10;
  int max_iterations = 50000;
};

// x starts from zero. The report has the true residuals |b - M x| / |b| of each vector. InputError unless the mass is
// positive; Error (solver::require_converged) naming `what` if a residual is not reached.
template <int W>
solver::SolverReport staggered_inverse(const dirac::StaggeredOperator<double, W>& d, const FullVectors<double, W>& b,
                                       const FullVectors<double, W>& x, const InverseParameters& parameters,
                                       std::string_view what);

}  // namespace trellis::measure
