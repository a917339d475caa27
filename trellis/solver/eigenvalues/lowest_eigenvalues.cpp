// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/eigenvalues/lowest_eigenvalues.hpp"

namespace trellis::solver::eigenvalues_detail {

int block_size(const LowestEigenvalueParameters& parameters, std::int64_t dimension) {
  const auto& [count, tolerance, upper, max_applications] = parameters;
  if (!(tolerance > 0)) fail_input("eigenvalues: tolerance {}; it must be above 0", tolerance);
  if (!(upper > 0)) fail_input("eigenvalues: upper bound {}; it must be above 0", upper);
  const bool all = dimension <= maximum_sums;
  const std::int64_t most = all ? dimension : most_eigenvalues;
  if (count < 1 || count > most) fail_input("eigenvalues: {} of {}; expected 1 to {}", count, dimension, most);
  if (all) return static_cast<int>(dimension);
  return std::min(maximum_sums, count + std::max(8, count / 2));
}

double filter_cut(double lowest, double largest, double upper) {
  return largest + std::min(0.5 * (upper - largest), 0.2 * (largest - lowest) + 1e-4 * (upper - largest));
}

int filter_degree(double lowest, double cut, double upper) {
  constexpr double enough = 1e5;
  constexpr int most = 1000;
  const double y = (upper + cut - 2 * lowest) / (upper - cut);
  double before = 1, here = y;  // T_0, T_1
  int degree = 1;
  for (; here < enough && degree < most; ++degree) {
    const double next = 2 * y * here - before;
    before = here;
    here = next;
  }
  return degree;
}

}  // namespace trellis::solver::eigenvalues_detail
