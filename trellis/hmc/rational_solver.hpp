// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rational function r(A + m^2) of the staggered operator A = -D_eo D_oe on even sites, by one multi-shift solve:
//   r(A + m^2) b = constant b + sum_i residues[i] x_i,   (A + m^2 + poles[i]) x_i = b.
// The first pole is included in the operator's mass, so that the solver's first shift is zero.
// precision: iterations in double; in single with every pole refined to its residual in double ("mixed"); or in single
// alone, whose residuals end near 1e-5 at physical masses; or in single with links in 16 bits, where they end near 5e-4
// and iterations move fewer bytes. If rounding, in the precision of the solutions, keeps a residual above its goal,
// which happens with light quarks, the achievable residual is accepted, and counted (solver::accept_rounding); in 16
// bits whatever rounding leaves is, and a solve that does not converge there is done again in double precision, and
// counted. Throws Error if the solver does not converge.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/hmc/dynamics/force_links.hpp"
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

// The iterations of a solve in a dry run; none otherwise.
inline std::vector<double> dry_turns_of(const std::string& what, int poles) {
  return in_dry_run() ? dry_turns(what, poles) : std::vector<double>();
}

// (A + m^2 + poles[i]) x_i = b in one precision; L: how links are stored.
template <class T, int W, class L = T>
class PoleSolver {
 public:
  using Field = ColourVectorField<T, W>;

  PoleSolver(const dirac::StaggeredOperator<T, W, L>& massless, double mass, const RationalApproximation& function)
      : lowest_(mass * mass + first(function)), operator_(massless.with_mass(std::sqrt(lowest_))) {
    for (const double pole : function.poles) shifts_.push_back(pole - first(function));
  }

  double lowest() const { return lowest_; }  // m^2 + poles[0]
  const std::vector<double>& shifts() const { return shifts_; }
  const dirac::StaggeredOperator<T, W, L>& operator_of_first() const { return operator_; }

  solver::SolverReport solve(const Field& b, const Field& x, const SolveGoal& goal,
                             const std::vector<double>& turns) const {
    return solver::multi_shift_cg(operator_, shifts_, b, x,
                                  {.tolerance = goal.residual, .max_iterations = goal.max_iterations, .turns = turns});
  }

  // Accepts what rounding of the links leaves of the residuals: solutions need not be more accurate than the links.
  // Nothing if conjugate gradients do not converge, for rounded links may leave the operator no longer positive.
  std::optional<solver::SolverReport> solve_unrefined(const Field& b, const Field& x, const SolveGoal& goal,
                                                      const std::vector<double>& turns) const {
    try {
      solver::SolverReport report = solver::multi_shift_cg(
          operator_, shifts_, b, x,
          {.tolerance = goal.residual, .max_iterations = goal.max_iterations, .finish = false, .turns = turns});
      std::vector<double> tolerances;
      for (std::size_t i = 0; i < report.residuals.size(); ++i) {
        if (report.iterations_of[i] >= goal.max_iterations) return {};
        tolerances.push_back(std::max(goal.residual, report.residuals[i]));
      }
      report.tolerance = tolerances;
      report.conclude();
      return report;
    } catch (const solver::NotPositive&) {
      return {};
    }
  }

  // The eigenvalues of A = -D_eo D_oe are at most 16 for unitary links, and smaller for fat ones that occur.
  // bb, xx: |b|^2 and |x_i|^2.
  double accept_rounding(solver::SolverReport& report, const std::vector<double>& bb,
                         const std::vector<double>& xx) const {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < xx.size(); ++i)
      sizes.push_back(1 + (16 + lowest_ + shifts_[i]) * std::sqrt(xx[i] / bb[0]));
    return solver::accept_rounding(report, sizes, std::numeric_limits<T>::epsilon());
  }

 private:
  static double first(const RationalApproximation& function) {
    return function.poles.empty() ? 0 : function.poles.front();
  }

  double lowest_;
  std::vector<double> shifts_;
  dirac::StaggeredOperator<T, W, L> operator_;
};

template <int W, int WS>
class RationalSolver {
 public:
  using Field = ColourVectorField<double, W>;

  RationalSolver(const QuarkLinks<W, WS>& links, const dirac::StaggeredOperator<double, W>& massless,
                 const dirac::LinkPhases& phases, double epsilon, double mass, const RationalApproximation& function,
                 SolverPrecision precision)
      : function_(function),
        precision_(precision),
        maps_(precision == SolverPrecision::double_ ? nullptr : &links.maps()),
        double_(massless, mass, function) {
    if (precision == SolverPrecision::mixed || precision == SolverPrecision::single)
      single_.emplace(dirac::StaggeredOperator<float, WS>(links.packed_single(epsilon), phases, 0.0), mass, function);
    if (precision == SolverPrecision::fixed16)
      in_16_bits_.emplace(dirac::StaggeredOperator<float, WS, Fixed16>(links.packed_in_16_bits(epsilon), phases, 0.0),
                          mass, function);
  }

  const RationalApproximation& function() const { return function_; }

  // x_i for all poles, function().order() vectors; `what` names the solve in errors and in a dry run.
  void poles(const Field& b, const Field& x, const SolveGoal& goal, const std::string& what,
             SolverCounts& counts) const {
    solver::SolverReport report = solve(b, x, goal, dry_turns_of(what, x.count()), counts);
    if (!report.converged) counts.rounded = std::max(counts.rounded, accept_rounding(report, b, x));
    count_solve(report, what, counts);
  }

  // What Re <b, r b> lacks to first order in the residuals of the x_i, if it was computed from them:
  //   sum_i residues[i] Re <x_i, b - (A + m^2 + poles[i]) x_i>,
  // for A + m^2 + poles[i] is Hermitian. R 1 + 3 n W n for n poles, and the hops of D on each. Temporary memory: n
  // vectors.
  double energy_of_residuals(const Field& b, const Field& x) const {
    if (function_.poles.empty()) return 0;
    std::vector<double> masses2;
    for (const double shift : double_.shifts()) masses2.push_back(double_.lowest() + shift);
    const Field dx(b.lattice(), 1 - b.parity(), x.count(), "D x");
    double_.operator_of_first().hop(x, dx);
    const std::vector<double> overlaps = shifted_overlaps<W>(masses2, b, x), products = solver::norms2(dx);  // <x, A x>
    double sum = 0;
    for (std::size_t i = 0; i < masses2.size(); ++i) sum += function_.residues[i] * (overlaps[i] - products[i]);
    return sum;
  }

 private:
  solver::SolverReport solve(const Field& b, const Field& x, const SolveGoal& goal, const std::vector<double>& turns,
                             SolverCounts& counts) const {
    if (precision_ == SolverPrecision::double_) return double_.solve(b, x, goal, turns);
    if (precision_ == SolverPrecision::mixed)
      return solver::mixed_multi_shift_cg(
          double_.operator_of_first(), single_->operator_of_first(), *maps_, double_.shifts(), b, x,
          {.tolerance = goal.residual, .max_iterations = goal.max_iterations, .turns = turns});
    const ColourVectorField<float, WS> b_single(maps_->single_lattice(), b.parity()),
        x_single(maps_->single_lattice(), b.parity(), x.count());
    maps_->convert(b, b_single);
    const auto report = in_16_bits_ ? in_16_bits_->solve_unrefined(b_single, x_single, goal, turns)
                                    : single_->solve(b_single, x_single, goal, turns);
    if (!report) {
      ++counts.fallbacks;
      return double_.solve(b, x, goal, turns);
    }
    maps_->convert(x_single, x);
    return *report;
  }

  // By the precision of the solutions: refined ones are in double.
  double accept_rounding(solver::SolverReport& report, const Field& b, const Field& x) const {
    return precision_ == SolverPrecision::single
               ? single_->accept_rounding(report, solver::norms2(b), solver::norms2(x))
               : double_.accept_rounding(report, solver::norms2(b), solver::norms2(x));
  }

  RationalApproximation function_;
  SolverPrecision precision_;
  const solver::PrecisionMaps<W, WS>* maps_;
  PoleSolver<double, W> double_;
  std::optional<PoleSolver<float, WS>> single_;
  std::optional<PoleSolver<float, WS, Fixed16>> in_16_bits_;
};

}  // namespace trellis::hmc
