// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rational function r(A + m^2) of the staggered operator A = -D_eo D_oe on even sites, by one multi-shift solve:
//   r(A + m^2) b = constant b + sum_i residues[i] x_i,   (A + m^2 + poles[i]) x_i = b.
// The first pole is included in the operator's mass, so that the solver's first shift is zero.
// precision: iterations in double; in single with every pole refined to its residual in double ("mixed"); or in single
// alone, whose residuals end near 1e-5 at physical masses; or in single with links in 16 bits, where they end near 5e-4
// and iterations on a GPU are bound by fewer bytes. If rounding in double precision keeps a residual above its goal,
// which happens with light quarks, the achievable residual is accepted, and counted; in 16 bits whatever rounding
// leaves is, and if rounded links leave the operator no longer positive, the solve is done again in single precision,
// and counted. Throws Error if the solver does not converge.

#include "trellis/hmc/pseudofermion_kernel.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/quark_links.hpp"
#include "trellis/hmc/rational.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/mixed_multi_shift_cg.hpp"

namespace trellis::hmc {

struct SolveGoal {
  double residual;
  int max_iterations;
};

template <int W, int WS>
class RationalSolver {
 public:
  using Field = ColourVectorField<double, W>;

  RationalSolver(const QuarkLinks<W, WS>& links, const dirac::StaggeredOperator<double, W>& massless,
                 const dirac::LinkPhases& phases, double mass, const RationalApproximation& function,
                 SolverPrecision precision)
      : function_(function),
        precision_(precision),
        maps_(precision == SolverPrecision::double_ ? nullptr : &links.maps()) {
    const double first = function.poles.empty() ? 0 : function.poles.front();
    lowest_ = mass * mass + first;
    const double lowest = std::sqrt(lowest_);
    for (const double pole : function.poles) shifts_.push_back(pole - first);
    double_.emplace(massless.with_mass(lowest));
    if (precision == SolverPrecision::mixed || precision == SolverPrecision::single)
      single_.emplace(links.packed_single(), phases, lowest);
    if (precision == SolverPrecision::fixed16) in_16_bits_.emplace(links.packed_in_16_bits(), phases, lowest);
  }

  const RationalApproximation& function() const { return function_; }

  // x_i for all poles, function().order() vectors; `what` names the solve in errors and in a dry run.
  void poles(const Field& b, const Field& x, const SolveGoal& goal, const std::string& what,
             SolverCounts& counts) const {
    std::vector<double> turns;
    if (in_dry_run()) turns = dry_turns(what, x.count());
    solver::SolverReport report = solve(b, x, goal, turns, counts);
    if (!report.converged && precision_ != SolverPrecision::single)
      counts.rounded = std::max(counts.rounded, accept_rounding(report, b, x));
    ++counts.solves;
    counts.iterations += report.iterations;
    counts.applications += report.operator_applications;
    counts.seconds += report.seconds;
    counts.residual = std::max(counts.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
    require_converged(report, what);
  }

  // What Re <b, r b> lacks to first order in the residuals of the x_i, if it was computed from them:
  //   sum_i residues[i] Re <x_i, b - (A + m^2 + poles[i]) x_i>,
  // for A + m^2 + poles[i] is Hermitian. R 1 + 3 n W n for n poles, and the hops of D on each. Temporary memory: n
  // vectors.
  double energy_of_residuals(const Field& b, const Field& x) const {
    if (function_.poles.empty()) return 0;
    std::vector<double> masses2;
    for (const double shift : shifts_) masses2.push_back(lowest_ + shift);
    const Field dx(b.lattice(), 1 - b.parity(), x.count(), "D x");
    double_->hop(x, dx);
    const std::vector<double> overlaps = shifted_overlaps<W>(masses2, b, x), products = solver::norms2(dx);  // <x, A x>
    double sum = 0;
    for (std::size_t i = 0; i < masses2.size(); ++i) sum += function_.residues[i] * (overlaps[i] - products[i]);
    return sum;
  }

 private:
  // The eigenvalues of A = -D_eo D_oe are at most 16 for unitary links.
  double accept_rounding(solver::SolverReport& report, const Field& b, const Field& x) const {
    const double bb = solver::norms2(b)[0];
    const auto xx = solver::norms2(x);
    std::vector<double> sizes;
    for (std::size_t i = 0; i < xx.size(); ++i)
      sizes.push_back(1 + (16 + lowest_ + shifts_[i]) * std::sqrt(xx[i] / bb));
    return solver::accept_rounding(report, sizes, std::numeric_limits<double>::epsilon());
  }
  solver::SolverReport solve(const Field& b, const Field& x, const SolveGoal& goal, const std::vector<double>& turns,
                             SolverCounts& counts) const {
    const solver::MultiShiftParameters parameters{
        .tolerance = goal.residual, .max_iterations = goal.max_iterations, .turns = turns};
    if (precision_ == SolverPrecision::single) return in_single(*single_, b, x, parameters);
    if (precision_ == SolverPrecision::mixed)
      return solver::mixed_multi_shift_cg(
          *double_, *single_, *maps_, shifts_, b, x,
          {.tolerance = goal.residual, .max_iterations = goal.max_iterations, .turns = turns});
    if (precision_ == SolverPrecision::fixed16) {
      if (const auto report = with_links_in_16_bits(b, x, parameters)) return *report;
      ++counts.fallbacks;
    }
    return solver::multi_shift_cg(*double_, shifts_, b, x, parameters);
  }
  template <class A>
  solver::SolverReport in_single(const A& a, const Field& b, const Field& x,
                                 const solver::MultiShiftParameters& parameters) const {
    const ColourVectorField<float, WS> b_single(maps_->single_lattice(), b.parity()),
        x_single(maps_->single_lattice(), b.parity(), x.count());
    maps_->convert(b, b_single);
    const solver::SolverReport report = solver::multi_shift_cg(a, shifts_, b_single, x_single, parameters);
    maps_->convert(x_single, x);
    return report;
  }
  // Forces need not be more accurate than the links, so what their rounding leaves is not refined. Nothing if it
  // does not converge: rounded links may leave the operator no longer positive.
  std::optional<solver::SolverReport> with_links_in_16_bits(const Field& b, const Field& x,
                                                            solver::MultiShiftParameters parameters) const {
    parameters.finish = false;
    try {
      solver::SolverReport report = in_single(*in_16_bits_, b, x, parameters);
      std::vector<double> tolerances;
      for (std::size_t i = 0; i < report.residuals.size(); ++i) {
        if (report.iterations_of[i] >= parameters.max_iterations) return {};
        tolerances.push_back(std::max(parameters.tolerance[int(i)], report.residuals[i]));
      }
      report.tolerance = tolerances;
      report.conclude();
      return report;
    } catch (const solver::NotPositive&) {
      return {};
    }
  }

  RationalApproximation function_;
  std::vector<double> shifts_;
  double lowest_ = 0;  // m^2 + poles[0]
  SolverPrecision precision_;
  const solver::PrecisionMaps<W, WS>* maps_;
  std::optional<dirac::StaggeredOperator<double, W>> double_;
  std::optional<dirac::StaggeredOperator<float, WS>> single_;
  std::optional<dirac::StaggeredOperator<float, WS, Fixed16>> in_16_bits_;
};

}  // namespace trellis::hmc
