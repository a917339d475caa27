// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/report.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::solver {

Tolerance Tolerance::part(const std::vector<int>& places) const {
  std::vector<double> values;
  for (const int n : places) values.push_back((*this)[n]);
  return values;
}

void Tolerance::require_valid(int count) const {
  if (values_.size() != 1 && static_cast<int>(values_.size()) != count)
    fail("solver: {} tolerances for {} right-hand sides", values_.size(), count);
  for (const double value : values_)
    if (!(value > 0)) fail("solver: a tolerance is {}; it must be positive", value);
}

void SolverReport::conclude() {
  iterations = iterations_of.empty() ? 0 : *std::max_element(iterations_of.begin(), iterations_of.end());
  converged = true;
  for (int n = 0; n < static_cast<int>(residuals.size()); ++n) converged = converged && residuals[n] <= tolerance[n];
}

// Each iteration adds epsilon / 2 |x| at most to x, 0.29 epsilon |x| on average, and A takes a random error to some 3
// times its size, where |A| is 16: 0.05 sqrt(k) epsilon |A| |x|. Staggered quarks of mass 0.0002 to 0.05 on links from
// hot starts leave up to that in single precision, after 25 to 12,000 iterations. The limit has twice as much.
double rounding_limit(double size, int iterations, double epsilon) {
  return epsilon * size * (1 + std::sqrt(double(iterations)) / 8);
}

double accept_rounding(SolverReport& report, const std::vector<double>& sizes, double epsilon) {
  double accepted = 0;
  std::vector<double> tolerances;
  for (std::size_t n = 0; n < report.residuals.size(); ++n) {
    const double asked = report.tolerance[static_cast<int>(n)], residual = report.residuals[n];
    tolerances.push_back(std::max(asked, rounding_limit(sizes.at(n), report.iterations_of.at(n), epsilon)));
    if (residual > asked && residual <= tolerances.back()) accepted = std::max(accepted, residual);
  }
  report.tolerance = tolerances;
  report.conclude();
  return accepted;
}

void require_converged(const SolverReport& report, std::string_view what) {
  if (report.converged) return;
  const int count = static_cast<int>(report.residuals.size());
  int worst = 0;
  for (int n = 1; n < count; ++n)
    if (!(report.residuals[n] / report.tolerance[n] <= report.residuals[worst] / report.tolerance[worst])) worst = n;
  fail("{} for {}: residual {:.4g} after {}, asked for {:.4g}{}{}", report.method, what, report.residuals[worst],
       plural(report.iterations_of[worst], "iteration"), report.tolerance[worst],
       count > 1 ? fmt::format(" (number {} of {})", worst + 1, count) : "",
       report.stagnated ? "; it stagnated at the limit of the precision" : "");
}

}  // namespace trellis::solver
