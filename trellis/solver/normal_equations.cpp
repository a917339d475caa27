// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/normal_equations.hpp"

namespace trellis::solver::detail {

std::vector<double> residual_goals(const std::vector<double>& bb, const Tolerance& tolerance) {
  std::vector<double> goals;
  for (const Progress& one : start_progress(bb, tolerance, 0)) goals.push_back(one.target);
  return goals;
}

}  // namespace trellis::solver::detail
