// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/solver_work.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::bench {

double SolveWork::bound(int i, double to_residual) const {
  const double low = lowest[std::size_t(i)];
  return std::max(1.0, 0.5 * std::sqrt((largest + low) / low) * std::log(2 / to_residual));
}

double SolveWork::live() const {
  if (shifts() == 0) return 0;
  double sum = 0;
  for (int i = 0; i < shifts(); ++i) sum += bound(i, residual);
  return sum / bound(0, residual);
}

std::vector<SolveWork> solves_of(const hmc::QuarkAction& action, const std::vector<hmc::QuarkTerm>& terms,
                                 const hmc::Plan& plan, const std::vector<hmc::Level>& levels) {
  std::vector<SolveWork> solves;
  for (const hmc::QuarkTerm& term : terms) {
    const double mass2 = term.mass * term.mass;
    const auto add = [&](const char* purpose, int calls, const std::vector<hmc::PowerFactor>& f, double error,
                         double residual, hmc::Precision precision) {
      const auto r = hmc::rational_approximation(f, mass2, mass2 + action.largest_eigenvalue, error);
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
    const auto energy = hmc::action_function(term);
    add("heatbath", 1, hmc::heatbath_function(term), action.heatbath_error, action.heatbath_residual,
        hmc::Precision::double_);
    add("molecular dynamics", forces, energy, action.molecular_dynamics_error, action.molecular_dynamics_residual,
        action.molecular_dynamics_precision);
    add("Metropolis", 1, energy, action.metropolis_error, action.metropolis_residual, hmc::Precision::double_);
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
