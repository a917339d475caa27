// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many conjugate-gradient iterations a trajectory needs. By default this is a bound: with condition number k the
// residual has fallen to `residual` after at most
//   n = sqrt(k) / 2 log(2 / residual)                     (Saad, Iterative Methods for Sparse Linear Systems, 6.11)
// iterations, k = (largest_eigenvalue + m^2 + p) / (m^2 + p) with the lowest pole p. Chains need fewer: their largest
// eigenvalue is below the bound for which rational approximations are made, and there are few small eigenvalues.

#include <string>
#include <vector>

#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::bench {

struct SolveWork {
  std::string term;
  std::string purpose;         // "heatbath", "molecular dynamics", "Metropolis"
  int calls = 0;               // per trajectory
  std::vector<double> lowest;  // m^2 + pole of each shift
  double largest = 0;          // largest eigenvalue of A
  double residual = 0;
  hmc::SolverPrecision precision = hmc::SolverPrecision::double_;
  double iterations = 0;  // per call

  int shifts() const { return int(lowest.size()); }
  // The bound on the iterations of shift i for this residual.
  double bound(int i, double to_residual) const;
  // Iterations of a call, shift by shift, in proportion to the bounds.
  std::vector<double> iterations_of_shifts() const;
};

// Every solve of a trajectory, with the bound for its iterations; levels: those of the integrator. Computes the
// rational functions of terms that lack them.
std::vector<SolveWork> solves_of(const hmc::QuarkAction& action, const std::vector<hmc::QuarkTerm>& terms,
                                 const hmc::Plan& plan, const std::vector<hmc::Level>& levels);

// All iterations of a term in a trajectory, as in the column iterations_<term>.
double iterations_of(const std::vector<SolveWork>& solves, const std::string& term);
// Sets that number; the solves keep their proportions.
void set_iterations(std::vector<SolveWork>& solves, const std::string& term, double in_a_trajectory);

}  // namespace trellis::bench
