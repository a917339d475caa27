// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_inverse.hpp"

#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/solver/conjugate_gradient.hpp"

namespace trellis::measure {

namespace {

// |b - M x|^2 for each vector.
template <int W>
std::vector<double> residual2(const dirac::StaggeredOperator<double, W>& d, const FullVectors<double, W>& b,
                              const FullVectors<double, W>& x) {
  const std::vector<double> mass(static_cast<std::size_t>(b.count()), d.mass());
  std::vector<double> total(mass.size());
  for (const int parity : {0, 1}) {
    const auto r = b.part[parity].like("residual");
    d.hop(x.part[1 - parity], r);
    solver::add_scaled(mass, x.part[parity], r);
    const auto rr = solver::subtract_from(b.part[parity], r);
    for (std::size_t n = 0; n < total.size(); ++n) total[n] += rr[n];
  }
  return total;
}

}  // namespace

template <int W>
solver::SolverReport staggered_inverse(const dirac::StaggeredOperator<double, W>& d, const FullVectors<double, W>& b,
                                       const FullVectors<double, W>& x, const InverseParameters& parameters,
                                       std::string_view what) {
  const double mass = d.mass();
  if (!(mass > 0)) fail_input("{}: the mass is {}; it must be positive", what, mass);
  const auto rhs = b.part[0].like("right-hand side");
  d.hop(b.part[1], rhs);
  const auto each = [&](double a) { return std::vector<double>(static_cast<std::size_t>(b.count()), a); };
  solver::scale_and_add(each(-1), each(mass), b.part[0], rhs);

  // Leave a tenth for rounding.
  const auto bb = norms2(b), reduced = solver::norms2(rhs);
  std::vector<double> tolerance;
  for (std::size_t n = 0; n < bb.size(); ++n)
    tolerance.push_back(reduced[n] > 0 ? 0.9 * parameters.residual * mass * std::sqrt(bb[n] / reduced[n]) : 1.0);
  x.part[0].set_zero();
  auto report = solver::conjugate_gradient(d, rhs, x.part[0],
                                           {.tolerance = tolerance, .max_iterations = parameters.max_iterations});

  d.hop(x.part[0], x.part[1]);
  solver::scale_and_add(each(-1 / mass), each(1 / mass), b.part[1], x.part[1]);
  const auto rr = residual2(d, b, x);
  for (std::size_t n = 0; n < rr.size(); ++n) report.residuals[n] = bb[n] > 0 ? std::sqrt(rr[n] / bb[n]) : 0.0;
  report.tolerance = parameters.residual;
  report.conclude();
  solver::require_converged(report, what);
  return report;
}

#define TRELLIS_INSTANTIATE(W)                                                                                  \
  template solver::SolverReport staggered_inverse(const dirac::StaggeredOperator<double, W>&,                   \
                                                  const FullVectors<double, W>&, const FullVectors<double, W>&, \
                                                  const InverseParameters&, std::string_view);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
