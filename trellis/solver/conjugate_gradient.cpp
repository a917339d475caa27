// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::solver {

void Progress::step(double norm2) {
  rr = norm2;
  largest = std::max(largest, norm2);
  ++iterations;
  --iterations_left;
}

namespace detail {

double step_length(double rr, double curvature, int iteration) {
  if (!(curvature > 0) || !std::isfinite(curvature) || !std::isfinite(rr))
    fail("conjugate gradient: <p, A p> = {} and |r|^2 = {} in iteration {}; the operator must be positive", curvature,
         rr, iteration + 1);
  return rr / curvature;
}

std::vector<Progress> start_progress(const std::vector<double>& bb, const Tolerance& tolerance, int max_iterations) {
  const int count = static_cast<int>(bb.size());
  tolerance.check(count);
  std::vector<Progress> progress(count);
  for (int n = 0; n < count; ++n) {
    progress[n].target = tolerance[n] * tolerance[n] * bb[n];
    progress[n].iterations_left = max_iterations;
  }
  return progress;
}

void conclude(SolverReport& report, const std::vector<double>& bb, const std::vector<Progress>& progress) {
  for (std::size_t n = 0; n < bb.size(); ++n) {
    report.residuals.push_back(bb[n] == 0 ? 0.0 : std::sqrt(progress[n].rr / bb[n]));
    report.iterations_of.push_back(progress[n].iterations);
  }
  report.conclude();
}

std::vector<int> moving(const std::vector<Progress>& progress) {
  std::vector<int> places;
  for (int n = 0; n < static_cast<int>(progress.size()); ++n)
    if (!progress[n].at_rest()) places.push_back(n);
  return places;
}

}  // namespace detail

}  // namespace trellis::solver
