// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/solver/conjugate_gradient.hpp"

namespace trellis::measure {

namespace {

template <int W>
StaggeredHops<W> hops_of(const dirac::StaggeredOperator<double, W>& d) {
  return [&d](const ColourVectorField<double, W>& in, const ColourVectorField<double, W>& out) { d.hop(in, out); };
}

template <int W>
void require_mass(const dirac::StaggeredOperator<double, W>& d, std::string_view what) {
  if (!(d.mass() > 0)) fail_input("{}: the mass is {}; it must be positive", what, d.mass());
}

// With true residuals; throws unless they are what was asked for.
template <int W>
void finish(solver::SolverReport& report, const dirac::StaggeredOperator<double, W>& d, StaggeredMatrix a,
            const FullVectors<double, W>& b, const FullVectors<double, W>& x, double residual, std::string_view what) {
  report.residuals = staggered_residuals(hops_of(d), d.mass(), a, b, x);
  report.tolerance = residual;
  report.conclude();
  solver::require_converged(report, what);
}

}  // namespace

template <int W>
solver::SolverReport staggered_inverse(const dirac::StaggeredOperator<double, W>& d, const FullVectors<double, W>& b,
                                       const FullVectors<double, W>& x, const InverseParameters& parameters,
                                       std::string_view what) {
  const double mass = d.mass();
  require_mass(d, what);
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
  finish(report, d, StaggeredMatrix::m, b, x, parameters.residual, what);
  return report;
}

template <int W>
solver::SolverReport staggered_normal_inverse(const dirac::StaggeredOperator<double, W>& d,
                                              const FullVectors<double, W>& b, const FullVectors<double, W>& x,
                                              const InverseParameters& parameters, std::string_view what) {
  require_mass(d, what);
  solver::SolverReport report;
  for (const int parity : {0, 1}) {
    x.part[parity].set_zero();
    const auto part = solver::conjugate_gradient(
        d, b.part[parity], x.part[parity],
        {.tolerance = 0.9 * parameters.residual, .max_iterations = parameters.max_iterations});
    if (parity == 0) {
      report = part;
      continue;
    }
    for (std::size_t n = 0; n < part.iterations_of.size(); ++n)
      report.iterations_of[n] = std::max(report.iterations_of[n], part.iterations_of[n]);
    report.operator_applications += part.operator_applications;
    report.seconds += part.seconds;
  }
  finish(report, d, StaggeredMatrix::normal, b, x, parameters.residual, what);
  return report;
}

template <int W>
std::vector<double> staggered_residual2(const StaggeredHops<W>& hops, double mass, StaggeredMatrix a,
                                        const FullVectors<double, W>& b, const FullVectors<double, W>& x, int parity,
                                        const ColourVectorField<double, W>& r) {
  const auto each = [&](double number) { return std::vector<double>(static_cast<std::size_t>(b.count()), number); };
  const auto other = static_cast<std::size_t>(1 - parity), own = static_cast<std::size_t>(parity);
  if (a == StaggeredMatrix::m) {
    hops(x.part[other], r);
    solver::add_scaled(each(mass), x.part[own], r);
  } else {
    const auto middle = x.part[other].like("D x");
    hops(x.part[own], middle);
    hops(middle, r);
    solver::scale_and_add(each(-1), each(mass * mass), x.part[own], r);
  }
  return solver::subtract_from(b.part[own], r);
}

template <int W>
std::vector<double> staggered_residuals(const StaggeredHops<W>& hops, double mass, StaggeredMatrix a,
                                        const FullVectors<double, W>& b, const FullVectors<double, W>& x) {
  std::vector<double> residuals(static_cast<std::size_t>(b.count()));
  for (const int parity : {0, 1}) {
    const auto rr = staggered_residual2(hops, mass, a, b, x, parity, b.part[parity].like("residual"));
    for (std::size_t n = 0; n < residuals.size(); ++n) residuals[n] += rr[n];
  }
  const auto bb = norms2(b);
  for (std::size_t n = 0; n < bb.size(); ++n) residuals[n] = bb[n] > 0 ? std::sqrt(residuals[n] / bb[n]) : 0.0;
  return residuals;
}

template <int W>
std::vector<double> fitting_masses(const StaggeredHops<W>& hops, const FullVectors<double, W>& b,
                                   const FullVectors<double, W>& x) {
  const auto rest = b.like();
  for (const int parity : {0, 1}) {
    hops(x.part[1 - parity], rest.part[parity]);
    solver::subtract_from(b.part[parity], rest.part[parity]);
  }
  const auto overlaps = products(x, rest);
  auto masses = norms2(x);
  for (std::size_t n = 0; n < masses.size(); ++n) masses[n] = masses[n] > 0 ? overlaps[n].real() / masses[n] : 0.0;
  return masses;
}

#define TRELLIS_INSTANTIATE(W)                                                                                         \
  template solver::SolverReport staggered_inverse(const dirac::StaggeredOperator<double, W>&,                          \
                                                  const FullVectors<double, W>&, const FullVectors<double, W>&,        \
                                                  const InverseParameters&, std::string_view);                         \
  template solver::SolverReport staggered_normal_inverse(const dirac::StaggeredOperator<double, W>&,                   \
                                                         const FullVectors<double, W>&, const FullVectors<double, W>&, \
                                                         const InverseParameters&, std::string_view);                  \
  template std::vector<double> staggered_residual2(const StaggeredHops<W>&, double, StaggeredMatrix,                   \
                                                   const FullVectors<double, W>&, const FullVectors<double, W>&, int,  \
                                                   const ColourVectorField<double, W>&);                               \
  template std::vector<double> staggered_residuals(const StaggeredHops<W>&, double, StaggeredMatrix,                   \
                                                   const FullVectors<double, W>&, const FullVectors<double, W>&);      \
  template std::vector<double> fitting_masses(const StaggeredHops<W>&, const FullVectors<double, W>&,                  \
                                              const FullVectors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
