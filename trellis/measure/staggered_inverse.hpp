// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// x = M^-1 b on all sites, M = m + D, by conjugate gradients on the even sites:
//   (m^2 - D_eo D_oe) x_e = m b_e - D_eo b_o,    x_o = (b_o - D_oe x_e) / m.
// The residual is then zero on odd sites and on even ones 1/m times that of the reduced equation, which is solved as
// far as |b - M x| <= residual |b| requires. Or (M^dagger M)^-1 b, which is that of each parity by itself:
//   (m^2 - D_eo D_oe) x_e = b_e,    (m^2 - D_oe D_eo) x_o = b_o.

#include <functional>

#include "trellis/measure/full_vectors.hpp"
#include "trellis/solver/report.hpp"

namespace trellis::measure {

enum class StaggeredMatrix { m, normal };  // M, M^dagger M

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

// The same for M^dagger M.
template <int W>
solver::SolverReport staggered_normal_inverse(const dirac::StaggeredOperator<double, W>& d,
                                              const FullVectors<double, W>& b, const FullVectors<double, W>& x,
                                              const InverseParameters& parameters, std::string_view what);

// out <- D in, from one parity to the other.
template <int W>
using StaggeredHops =
    std::function<void(const ColourVectorField<double, W>& in, const ColourVectorField<double, W>& out)>;

// r <- b - A x on the sites of one parity; returns |r|^2 of each vector.
template <int W>
std::vector<double> staggered_residual2(const StaggeredHops<W>& hops, double mass, StaggeredMatrix a,
                                        const FullVectors<double, W>& b, const FullVectors<double, W>& x, int parity,
                                        const ColourVectorField<double, W>& r);

// |b - A x| / |b| for each vector; 0 where b = 0.
template <int W>
std::vector<double> staggered_residuals(const StaggeredHops<W>& hops, double mass, StaggeredMatrix a,
                                        const FullVectors<double, W>& b, const FullVectors<double, W>& x);

// The mass for which |M x - b| is smallest, Re <x, b - D x> / <x, x>, for each vector; 0 where x = 0. It tells which
// mass, in our convention, belongs to a solution.
template <int W>
std::vector<double> fitting_masses(const StaggeredHops<W>& hops, const FullVectors<double, W>& b,
                                   const FullVectors<double, W>& x);

}  // namespace trellis::measure
