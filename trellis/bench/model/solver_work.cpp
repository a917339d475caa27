// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/solver_work.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::bench {

double SolveWork::bound(int i, double to_residual) const {
  const double low = lowest[std::size_t(i)];
  return std::max(1.0, 0.5 * std::sqrt((largest + low) / low) * std::log(2 / to_residual));
}

std::vector<double> SolveWork::iterations_of_shifts() const {
  std::vector<double> all;
  for (int i = 0; i < shifts(); ++i) all.push_back(iterations * (bound(i, residual) / bound(0, residual)));
  return all;
}

std::vector<SolveWork> solves_of(const hmc::QuarkAction& action, const std::vector<hmc::QuarkTerm>& terms,
                                 const hmc::Plan& plan, const std::vector<hmc::Level>& levels) {
  std::vector<SolveWork> solves;
  for (const hmc::QuarkTerm& term : terms) {
    const double mass2 = term.mass * term.mass;
    const auto f = term.functions ? *term.functions : hmc::quark_functions(action, term);
    const auto add = [&](const char* purpose, int calls, const hmc::RationalApproximation& r, double residual,
                         hmc::SolverPrecision precision) {
      if (r.order() == 0) return;
      SolveWork solve{term.name, purpose, calls * term.pseudofermions, {}, action.largest_eigenvalue, residual,
                      precision, 0};
      for (const double pole : r.poles) solve.lowest.push_back(mass2 + pole);
      solve.iterations = solve.bound(0, residual);
      solves.push_back(solve);
    };
    int forces = 0;
    for (int level = 0; level < int(levels.size()); ++level) {
      const auto& names = levels[std::size_t(level)].terms;
      if (std::find(names.begin(), names.end(), term.name) != names.end())
        forces += hmc::force_evaluations(plan, level);
    }
    add("heatbath", 1, f.heatbath, action.heatbath_residual, hmc::heatbath_precision(action, term));
    add("molecular dynamics", forces, f.molecular_dynamics, action.molecular_dynamics_residual,
        action.molecular_dynamics_precision);
    add("Metropolis", 1, f.metropolis, action.metropolis_residual, action.metropolis_precision);
  }
  return solves;
}

double iterations_of(const std::vector<SolveWork>& solves, const std::string& term) {
  double sum = 0;
  for (const SolveWork& solve : solves)
    if (solve.term == term) sum += solve.calls * solve.iterations;
  return sum;
}

void set_iterations(std::vector<SolveWork>& solves, const std::string& term, double in_a_trajectory) {
  const double now = iterations_of(solves, term);
  for (SolveWork& solve : solves)
    if (solve.term == term) solve.iterations *= in_a_trajectory / now;
}

}  // namespace trellis::bench
