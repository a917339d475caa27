// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The input of a solver and its report. Residuals are true ones, |b - A x| / |b| computed from x after the iterations;
// a solver that does not reach its goal says so and leaves it to the caller to continue or to stop (require_converged).

#include <string_view>
#include <vector>

namespace trellis::solver {

// Largest allowed relative residual: one for all right-hand sides, or one for each.
class Tolerance {
 public:
  Tolerance(double for_all) : values_{for_all} {}
  Tolerance(std::vector<double> for_each) : values_(std::move(for_each)) {}
  double operator[](int n) const { return values_.size() == 1 ? values_[0] : values_.at(n); }
  Tolerance part(const std::vector<int>& places) const;
  // Throws Error unless there is one for all or `count` of them, all positive.
  void require_valid(int count) const;

 private:
  std::vector<double> values_;
};

struct SolverParameters {
  Tolerance tolerance = 1e-9;
  int max_iterations = 20000;  // for each right-hand side
};

struct SolverReport {
  Tolerance tolerance = 1e-9;           // the goal
  int iterations = 0;                   // maximum over right-hand sides
  std::vector<int> iterations_of = {};  // of each right-hand side (shift)
  std::vector<double> residuals = {};   // true relative residual of each; 0 where b = 0
  bool converged = false;               // all are within their tolerances
  bool stagnated = false;               // a true residual did not fall further although the recursive one did
  int operator_applications = 0;        // vectors that A was applied to, in any precision
  double seconds = 0;
  const char* method = "CG";

  // Sets iterations and converged from the data of each right-hand side.
  void conclude();
};

// Rounding alone leaves a residual of about epsilon (|A| |x| + |b|): x then solves a system that differs from this one
// in the last bits (Rigal and Gaches, J. ACM 14 (1967) 543). To that come the roundings of x in k iterations, which the
// recursive residual does not see (Greenbaum, SIAM J. Matrix Anal. Appl. 18 (1997) 535): random ones, so that they grow
// as the root of k. Raises the tolerance of right-hand sides that did not reach theirs to rounding_limit. sizes:
// (|A| |x_n| + |b_n|) / |b_n|. Returns the largest relative residual that is accepted only for this reason; 0 if none.
double rounding_limit(double size, int iterations, double epsilon);
double accept_rounding(SolverReport& report, const std::vector<double>& sizes, double epsilon);

// Throws Error "<method> for <what>: residual 3e-05 after 20000 iterations, asked for 1e-09" unless converged.
void require_converged(const SolverReport& report, std::string_view what);

}  // namespace trellis::solver
