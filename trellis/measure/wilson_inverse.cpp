// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/wilson_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/core/lanes.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/measure/wilson_even_solver.hpp"

namespace trellis::measure {

namespace {

void require_valid(const WilsonInverseParameters& p) {
  if (!(p.residual > 0 && p.residual < 1))
    fail_input("Wilson propagators: a residual of {}; it must be above 0 and below 1", p.residual);
  if (p.max_iterations < 1) fail_input("Wilson propagators: {} iterations; at least 1", p.max_iterations);
  if (p.together < 0) fail_input("Wilson propagators: {} columns together; at least 0", p.together);
}

template <int W>
EvenSolver<W> solver_of(const dirac::WilsonOperator<double, W>& m, const GaugeField<double, W>& u,
                        const WilsonInverseParameters& p) {
  require_valid(p);
  switch (p.precision) {
    case SolverPrecision::mixed:
      return mixed_solver(m, u, p);
    case SolverPrecision::fixed16:
      return fixed16_solver(m, u, p);
    default:
      return double_solver(m, p);
  }
}

// |b - M x|^2 for each column.
template <int W>
std::vector<double> residual2(const dirac::WilsonOperator<double, W>& m, const FullSpinors<double, W>& b,
                              const FullSpinors<double, W>& x) {
  std::vector<double> total(std::size_t(b.count()));
  for (const int parity : {0, 1}) {
    const auto r = b.part[parity].like("residual");
    m.full(x.part[parity], x.part[1 - parity], r);
    const auto rr = solver::subtract_from(b.part[parity], r);
    for (std::size_t n = 0; n < total.size(); ++n) total[n] += rr[n];
  }
  return total;
}

// Appends the columns of one report to those of another.
void add_columns(const solver::SolverReport& one, solver::SolverReport& all) {
  all.iterations_of.insert(all.iterations_of.end(), one.iterations_of.begin(), one.iterations_of.end());
  all.residuals.insert(all.residuals.end(), one.residuals.begin(), one.residuals.end());
  all.stagnated = all.stagnated || one.stagnated;
  all.operator_applications += one.operator_applications;
  all.seconds += one.seconds;
  all.method = one.method;
}

}  // namespace

template <int W>
EvenSolver<W> double_solver(const dirac::WilsonOperator<double, W>& m, const WilsonInverseParameters& p) {
  return [=](const auto& b, const auto& x, const solver::Tolerance& tolerance) {
    return wilson_inverse_detail::solve(m, b, x, tolerance, p);
  };
}

template <int W>
WilsonInverse<W>::WilsonInverse(const GaugeField<double, W>& u, const dirac::WilsonParameters& quark,
                                const WilsonInverseParameters& parameters)
    : parameters_(parameters),
      m_(u, quark, dirac::LinkFormat::two_rows, parameters.settings),
      solve_even_(solver_of(m_, u, parameters)) {}

template <int W>
solver::SolverReport WilsonInverse<W>::solve(const FullSpinors<double, W>& b, const FullSpinors<double, W>& x) const {
  const auto rhs = b.part[0].like("right-hand side");
  m_.prepare(b.part[0], b.part[1], rhs);
  // Leave a tenth for rounding.
  const auto bb = norms2(b), reduced = solver::norms2(rhs);
  std::vector<double> tolerance;
  for (std::size_t n = 0; n < bb.size(); ++n)
    tolerance.push_back(reduced[n] > 0 ? std::min(1.0, 0.9 * parameters_.residual * std::sqrt(bb[n] / reduced[n]))
                                       : 1.0);
  x.part[0].set_zero();
  auto report = solve_even_(rhs, x.part[0], tolerance);

  m_.reconstruct(x.part[0], b.part[1], x.part[1]);
  const auto rr = residual2(m_, b, x);
  for (std::size_t n = 0; n < rr.size(); ++n) report.residuals[n] = bb[n] > 0 ? std::sqrt(rr[n] / bb[n]) : 0.0;
  report.tolerance = parameters_.residual;
  report.conclude();
  return report;
}

template <int W>
bool WilsonInverse<W>::has_read(const std::filesystem::path& file, const FullSpinors<double, W>& b,
                                const FullSpinors<double, W>& x, solver::SolverReport& report) const {
  if (!read_propagator(file, m_.parameters().kappa, x)) return false;
  const auto bb = norms2(b), rr = residual2(m_, b, x);
  report.method = "file";
  report.tolerance = parameters_.residual;
  report.iterations_of.assign(rr.size(), 0);
  for (std::size_t n = 0; n < rr.size(); ++n) report.residuals.push_back(bb[n] > 0 ? std::sqrt(rr[n] / bb[n]) : 0.0);
  report.conclude();
  if (report.converged) return true;
  fail_input(
      "{}: is not the propagator on these links to this residual: |b - M x| / |b| is {:.3g}, expected at most {:.3g}; "
      "it "
      "may be one on other links (another configuration of this name, other smearing), or of a larger residual",
      file.string(), *std::ranges::max_element(report.residuals), parameters_.residual);
}

template <int W>
solver::SolverReport WilsonInverse<W>::operator()(const FullSpinors<double, W>& b, const FullSpinors<double, W>& x,
                                                  std::string_view what) const {
  const int together = parameters_.together == 0 ? b.count() : parameters_.together;
  solver::SolverReport report;
  std::filesystem::path file;
  if (parameters_.kept.wanted() && !in_dry_run()) {
    file = propagator_file(parameters_.kept, m_.parameters(), b);
    if (has_read(file, b, x, report)) return report;
  }
  if (together >= b.count()) {
    report = solve(b, x);
  } else {
    FullSpinors<double, W> own_b(b.lattice(), together), own_x = own_b.like();
    for (int first = 0; first < b.count(); first += together) {
      std::vector<int> own(std::size_t(std::min(together, b.count() - first)));
      std::iota(own.begin(), own.end(), first);
      if (int(own.size()) < own_b.count()) {
        own_b = FullSpinors<double, W>(b.lattice(), int(own.size()));
        own_x = own_b.like();
      }
      for (const int parity : {0, 1}) solver::gather(b.part[parity], own, own_b.part[parity]);
      add_columns(solve(own_b, own_x), report);
      for (const int parity : {0, 1}) solver::scatter(own_x.part[parity], own, x.part[parity]);
    }
    report.tolerance = parameters_.residual;
    report.conclude();
  }
  solver::require_converged(report, what);
  if (file.empty())
    round_as_kept(m_.parameters().kappa, x);
  else
    write_propagator(file, m_.parameters(), b, x);
  return report;
}

#define TRELLIS_INSTANTIATE(W) template class WilsonInverse<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
