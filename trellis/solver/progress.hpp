// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far each right-hand side of a solver is, and whether it is active.

#include <limits>
#include <vector>

#include "trellis/core/config.hpp"
#include "trellis/solver/report.hpp"

namespace trellis::solver {

// A right-hand side becomes inactive (at rest) once rr has fallen to `target` or to `fall` times its maximum since the
// start, when no iterations are left, or when its recurrences broke down; until the solver restarts it.
struct Progress {
  double rr = 0;  // |r|^2
  double target = 0;
  double fall = 0;
  double largest = 0;
  int iterations = 0;
  int iterations_left = 0;
  bool broken = false;

  TRELLIS_FUNCTION bool done() const { return rr <= target || iterations_left <= 0; }
  TRELLIS_FUNCTION bool at_rest() const { return done() || broken || rr <= fall * largest; }
  // Starts from this |r|^2.
  void start(double norm2) {
    rr = largest = norm2;
    broken = false;
  }
  TRELLIS_FUNCTION void step(double norm2) {
    rr = norm2;
    largest = norm2 > largest ? norm2 : largest;
    ++iterations;
    --iterations_left;
  }
};

namespace detail {

// For right-hand sides with these |b|^2.
std::vector<Progress> start_progress(const std::vector<double>& bb, const Tolerance& tolerance, int max_iterations);
// Writes the report, once the residuals are true ones.
void conclude(SolverReport& report, const std::vector<double>& bb, const std::vector<Progress>& progress);

// Places of the active right-hand sides.
std::vector<int> moving(const std::vector<Progress>& progress);
// 1 for active ones, 0 for the others.
std::vector<double> moving_flags(const std::vector<Progress>& progress);

// What an update from the true residual remembers of one right-hand side, besides its Progress.
struct UpdateHistory {
  double best = std::numeric_limits<double>::infinity();  // smallest |r|^2 so far
  // How many times in a row the true r was much larger than the recursive one, or the recurrences broke down, and r
  // was more than half of the best so far.
  int failures = 0;
  static constexpr int most_failures = 3;

  // `before` is the progress after the iterations, rr the true |r|^2. False once it has stagnated.
  bool update(double rr, const Progress& before);
};

}  // namespace detail

}  // namespace trellis::solver
