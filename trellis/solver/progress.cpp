// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/progress.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::solver {

namespace detail {

std::vector<Progress> start_progress(const std::vector<double>& bb, const Tolerance& tolerance, int max_iterations) {
  const int count = static_cast<int>(bb.size());
  tolerance.require_valid(count);
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

std::vector<double> moving_flags(const std::vector<Progress>& progress) {
  std::vector<double> flags;
  for (const Progress& one : progress) flags.push_back(one.at_rest() ? 0.0 : 1.0);
  return flags;
}

bool UpdateHistory::update(double rr, const Progress& before) {
  const bool first = best == std::numeric_limits<double>::infinity();
  const bool as_thought = rr <= 4 * before.rr && !before.broken && before.rr > before.target;
  failures = first || as_thought || rr <= 0.25 * best ? 0 : failures + 1;
  best = std::min(best, rr);
  return failures < most_failures || std::isnan(rr);  // the iterations throw for NaN
}

}  // namespace detail

}  // namespace trellis::solver
