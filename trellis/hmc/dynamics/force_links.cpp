// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/dynamics/force_links.hpp"

#include <algorithm>

namespace trellis::hmc {

void count_solve(const solver::SolverReport& report, std::string_view what, SolverCounts& counts) {
  ++counts.solves;
  counts.iterations += report.iterations;
  counts.applications += report.operator_applications;
  counts.seconds += report.seconds;
  counts.residual = std::max(counts.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
  solver::require_converged(report, what);
}

void count_forces(const SolverCounts& of_forces, SolverCounts& counts) {
  counts.solves += of_forces.solves;
  counts.iterations += of_forces.iterations;
  counts.applications += of_forces.applications;
  counts.seconds += of_forces.seconds;
  counts.force_seconds += of_forces.seconds;
  counts.rounded = std::max(counts.rounded, of_forces.rounded);
  counts.fallbacks += of_forces.fallbacks;
}

}  // namespace trellis::hmc
